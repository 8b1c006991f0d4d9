"""The generated module as a text: its imports and names, whatever names the user has given to what."""

from __future__ import annotations

import ast
import builtins
import re
import sys
import textwrap
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.special

from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate, differentiate_module

POINT = (0.7, 1.3)


def load(text: str, name: str) -> dict[str, Any]:
    scope: dict[str, Any] = {"__name__": name, "__builtins__": builtins}
    exec(compile(text, f"{name}.py", "exec", dont_inherit=True), scope)
    return scope


def slope(f: Any, at: tuple[float, ...], i: int) -> float:
    """Central differences, extrapolated once (Richardson)."""

    def central(h: float) -> float:
        up, down = list(at), list(at)
        up[i] += h
        down[i] -= h
        return float((f(*up) - f(*down)) / (2.0 * h))

    return (4.0 * central(5e-4) - central(1e-3)) / 3.0


def unread(text: str) -> set[str]:
    """Names that the module's imports bind and that nothing reads."""
    tree = ast.parse(text)
    bound = {
        a.asname or a.name.partition(".")[0]
        for s in ast.walk(tree)
        if isinstance(s, ast.Import | ast.ImportFrom) and getattr(s, "module", "") != "__future__"
        for a in s.names
        if a.name != "*"
    }
    read = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    quoted = {w for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str) for w in [n.value]}
    return {b for b in bound - read if not any(b in q for q in quoted)}


def agrees(
    source: str, at: tuple[float, ...] = POINT, emit: tuple[str, ...] = ("value_and_grad", "jvp"), **options: Any
) -> str:
    """The output for `f` in the source, after it gave the value and the derivatives of the original, on its own."""
    source = textwrap.dedent(source)
    request = Request(functions=("f",), emit=emit, **options)
    text = differentiate(source, request)
    original = load(source, "model")
    sys.modules["model"] = model = types.ModuleType("model")
    model.__dict__.update(original)
    try:
        made = load(text, "model_grad")
    finally:
        del sys.modules["model"]
    f = original["f"]
    wanted = [slope(f, at, i) for i in range(len(at))]
    if "value_and_grad" in emit:
        value, gradient = made["f_value_and_grad"](*at)
        np.testing.assert_allclose(value, f(*at), rtol=1e-12)
        np.testing.assert_allclose(np.array(gradient, dtype=float).ravel(), wanted, rtol=1e-6)
    if "jvp" in emit:
        names = list(ast.parse(source).body)
        node = next(n for n in names if isinstance(n, ast.FunctionDef) and n.name == "f")
        params = [a.arg for a in node.args.args]
        for i in range(len(at)):
            seeds = {f"{p}_dot": float(i == j) for j, p in enumerate(params)}
            value, tangent = made["f_jvp"](*at, **seeds)
            np.testing.assert_allclose(value, f(*at), rtol=1e-12)
            np.testing.assert_allclose(tangent, wanted[i], rtol=1e-6)
    assert not unread(text), text
    assert "\n\n\n\n" not in text
    for line, following in zip(text.split("\n"), text.split("\n")[1:], strict=False):
        assert not (line.endswith(":") and line.startswith("    ") and not following.strip()), text
    return text


IMPORTS = {
    "numpy under another name": """
        import numpy as xp

        def f(x, y):
            return xp.sum(xp.sin(x) * y) + xp.max(xp.array([x, y]))
    """,
    "numpy under its own name": """
        import numpy

        def f(x, y):
            return numpy.sum(numpy.exp(x) * y**3)
    """,
    "functions only": """
        from numpy import sin, sum as total

        def f(x, y):
            return total(sin(x) * y)
    """,
    "functions under other names": """
        from numpy import sin as cos, cos as sin

        def f(x, y):
            return cos(x) * sin(y)
    """,
    "math only, arrays of any rank": """
        import math

        def f(x, y):
            return math.sin(x) * y + x**y
    """,
    "functions of math only": """
        from math import sin, pi

        def f(x, y):
            return sin(pi * x) * y
    """,
    "all of math": """
        from math import *

        def f(x, y):
            return sin(x) * exp(y) + gamma(3.0) * e * x
    """,
    "all of numpy": """
        from numpy import *

        def f(x, y):
            return sin(x) * exp(y) + sum(array([x, y]) ** 2)
    """,
    "a submodule": """
        import numpy.linalg as la
        from numpy import array

        def f(x, y):
            return la.norm(array([x, y]))
    """,
    "a submodule from numpy": """
        from numpy import linalg, array

        def f(x, y):
            return linalg.det(array([[x, y], [y * y, x]]))
    """,
    "imports inside": """
        def f(x, y):
            import numpy as np
            from math import sin

            return np.exp(x) * sin(y)
    """,
    "imports inside, under a name that means another thing elsewhere": """
        import math as m

        def g(x):
            return m.sin(x)

        def f(x, y):
            import numpy as m

            return m.exp(x) * g(y) + m.sum(m.array([x, y]))
    """,
    "a fallback": """
        try:
            import numpy as np
        except ImportError:
            np = None

        def f(x, y):
            return np.sin(x) * np.tanh(y)
    """,
    "two names for numpy": """
        import numpy
        import numpy as np

        def f(x, y):
            return numpy.sin(x) * np.tanh(y)
    """,
    "nothing imported": """
        def f(x, y):
            return x * y**2 / (x + y)
    """,
    "annotations": """
        from __future__ import annotations

        from typing import TYPE_CHECKING
        import numpy as np

        if TYPE_CHECKING:
            from nowhere import Scalar

        def f(x: Scalar, y: "Scalar") -> Scalar:
            return np.sin(x) * y
    """,
    "quoted annotations": """
        import numpy as np
        import typing

        def f(x: "typing.Any", y: "np.ndarray"):
            return np.sin(x) * y
    """,
    "constants of constants": """
        import math
        import os
        SCALE = math.sqrt(2.0)
        UNUSED = 7
        TABLE = (SCALE, 2 * SCALE)

        def f(x, y):
            return x * TABLE[1] + y * y * SCALE
    """,
    "a helper that calls a helper": """
        import math
        import random

        HALF = 0.5

        def unused(x):
            return random.random()

        def _h(x):
            return HALF * math.sin(x)

        def g(x):
            if x > 0.0:
                return _h(x) * x
            return x

        def f(x, y):
            return g(x) * g(y) + _h(3.0)
    """,
    "a value that is not a literal": """
        import numpy as np

        WEIGHTS = np.linspace(0.0, 1.0, 3)

        def f(x, y):
            return np.sum(WEIGHTS * x) * y
    """,
    "a class": """
        class Config:
            rate = 0.5

        def f(x, y):
            return x * y * Config.rate
    """,
    "a comment and a decorator of a helper": """
        import functools
        import math

        # the number of steps
        @functools.lru_cache
        def steps(n):  # s2s: wrt=n
            return 3 + n

        def f(x, y):
            total = 0.0
            for i in range(steps(2)):
                total = total + x * math.sin(y * i)
            return total
    """,
}
SHADOWS = {
    "a parameter called np": """
        import numpy

        def f(np, y):
            return numpy.sum(numpy.sin(np)) * y
    """,
    "a parameter called np beside import as np": """
        import numpy as np

        def g(x):
            return np.sin(x)

        def f(np, y):
            return g(np) * g(y) + abs(np)
    """,
    "a variable called np": """
        from numpy import sin

        def f(x, y):
            np = sin(x) * y
            return np * np
    """,
    "a function called np": """
        from math import exp

        def np(x):
            return exp(x) * x

        def f(x, y):
            return np(x) * y**x
    """,
    "a constant called np": """
        from numpy import sin
        np = 3.0

        def f(x, y):
            return sin(x * np) * y**x
    """,
    "a parameter called math": """
        from math import sin

        def f(math, y):
            return sin(math) * y
    """,
    "a parameter called numpy": """
        from numpy import sin

        def f(numpy, y):
            return sin(numpy) * y**numpy
    """,
    "builtins as variables": """
        import numpy as np

        def f(x, y):
            len = x * y
            range = np.sin(len)
            str = range * 2.0
            reversed = 1.0
            for i in np.array([1.0, 2.0]):
                reversed = reversed * range + i * x
            return str + reversed
    """,
    "builtins as functions": """
        def reversed(x):
            return x * x

        def range(x):
            return 3.0 * x

        def f(x, y):
            total = 0.0
            for i in (1, 2, 3):
                total = total * x + reversed(y) + range(x)
            return total
    """,
    "a variable like a helper": """
        import numpy as np

        def f(x, y):
            _unbroadcast = np.maximum(x, y) * x
            return np.sum(np.exp(_unbroadcast) * y)
    """,
    "a function like a helper": """
        import numpy as np

        def _unbroadcast(x, y):
            return x * y

        def f(x, y):
            return np.sum(_unbroadcast(x, y) * np.max(np.array([x, y * x])))
    """,
    "names like generated ones": """
        import numpy as np

        def f(x, y):
            x_bar = x * 2.0
            value = np.sin(x_bar)
            e = value * y
            out = e * e
            return out * x_bar
    """,
    "a module constant like a generated name": """
        import numpy as np

        x_bar = 2.0
        value = 3.0
        sine = 4.0

        def f(x, y):
            return np.sin(x * x_bar) * y * value + sine * np.sin(x * x_bar) * x
    """,
}


@pytest.mark.parametrize("name", [*IMPORTS, *SHADOWS])
def test_the_output_runs_alone(name: str) -> None:
    agrees((IMPORTS | SHADOWS)[name])


def test_import_lines() -> None:
    text = agrees("""
        import os
        import numpy as np
        from numpy import sin, cos
        from math import pi
        import math

        TABLE = np.arange(3.0)

        def f(x, y):
            return sin(x) * cos(y) * pi + math.exp(x) * np.sum(TABLE)
    """)
    head = text.split('"""')[2].partition("\n\n\ndef")[0].strip().split("\n")
    assert head == [
        "import math",
        "from math import pi",
        "",
        "import numpy as np",
        "from numpy import sin, cos",
        "from model import TABLE",
    ]


def test_an_import_that_a_try_statement_holds_stands_once() -> None:
    text = agrees("""
        try:
            import numpy as np

            HAS = True
        except ImportError:
            import math as np

            HAS = False

        def f(x, y):
            return np.sin(x) * y
    """)
    assert text.count("import numpy as np") == 1


def test_only_what_is_read_is_copied() -> None:
    text = agrees(IMPORTS["a helper that calls a helper"])
    assert "unused" not in text and "random" not in text
    text = agrees(IMPORTS["constants of constants"])
    assert "UNUSED" not in text and "import os" not in text


def test_a_copied_helper_keeps_its_comments() -> None:
    text = agrees(IMPORTS["a comment and a decorator of a helper"])
    assert "# the number of steps\n@functools.lru_cache\ndef steps(n):\n" in text
    assert "s2s: wrt" not in text


def test_a_star_import_that_cannot_be_listed_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    given = types.ModuleType("given")
    given.__dict__.update(SCALE=2.5, unused=1)
    monkeypatch.setitem(sys.modules, "given", given)
    text = agrees("""
        import numpy as np
        from given import *

        def f(x, y):
            return np.sin(x) * y * SCALE
    """)
    assert "from given import *" in text


def test_imports_from_the_original_module() -> None:
    source = textwrap.dedent(IMPORTS["a value that is not a literal"])
    request = Request(filename="some/place/model.py", functions=("f",))
    assert "\nfrom model import WEIGHTS\n" in differentiate(source, request)
    packaged = differentiate(source, Request(filename="model.py", functions=("f",), package=True))
    assert "\nfrom .model import WEIGHTS\n" in packaged
    initial = differentiate(source, Request(filename="__init__.py", functions=("f",), package=True))
    assert "\nfrom . import WEIGHTS\n" in initial
    with pytest.raises(S2SError, match="S406"):
        differentiate(source, Request(functions=("f",), standalone=True))


@pytest.mark.parametrize(
    "source",
    [
        "def f_grad(x):\n    return 2.0 * x\n\n\ndef f(x):\n    return f_grad(x) * x\n",
        "f_grad = 2.0\n\n\ndef f(x):\n    return f_grad * x\n",
        "from math import sin as f_grad\n\n\ndef f(x):\n    return f_grad(x) * x\n",
    ],
)
def test_a_name_is_not_defined_twice(source: str) -> None:
    with pytest.raises(S2SError, match=r"S423.*`f_grad` twice"):
        differentiate(source, Request(functions=("f",), emit=("grad",)))


def test_a_hand_written_derivative_that_is_not_read_is_no_problem() -> None:
    source = (
        "def f_grad(x):\n    return 1.0\n\n\ndef f_value_and_grad(x):\n    return x\n\n\ndef f(x):\n    return x * x\n"
    )
    text = differentiate(source, Request(functions=("f",), emit=("grad", "value_and_grad")))
    assert load(text, "m")["f_grad"](3.0) == 6.0


def test_a_generated_file_is_a_source(tmp_path: Path) -> None:
    """Functions of ours that the source has as a copy are not copied once more."""
    source = "import numpy as np\n\n\ndef f(x, y):\n    return np.sum(x * y)\n"
    first = differentiate(source, Request(functions=("f",), emit=("grad",)))
    assert first.count("def _unbroadcast(") == 1
    second = differentiate(first, Request(filename="model_grad.py", functions=("f_grad",), emit=("vjp",)))
    assert second.count("def _unbroadcast(") == 1
    made = load(second, "m")
    x, y = np.array([1.0, 2.0]), np.array([3.0, 5.0])
    (a, b), (x_bar, y_bar) = made["f_grad_vjp"](x, y, out_bar=(np.array([1.0, 0.0]), np.array([0.0, 1.0])))
    np.testing.assert_allclose(a, y)
    np.testing.assert_allclose(b, x)
    np.testing.assert_allclose(x_bar, [0.0, 1.0])
    np.testing.assert_allclose(y_bar, [1.0, 0.0])


def test_an_edit_elsewhere_changes_nothing() -> None:
    source = "import numpy as np\n\n\ndef f(x, y):\n    return np.sin(x * y) * np.exp(np.sin(x * y))\n"
    other = "\n\nimport os\nfrom math import *\n\nsine = t1 = 3\n\n\ndef g(e, t1, x_bar, np, sine):\n    return os, e\n"
    request = Request(functions=("f",))
    assert differentiate(source, request) == differentiate(source + other, request)


def test_emit_of_the_request_wins_over_the_comment() -> None:
    source = "# s2s: emit=vjp\ndef f(x):\n    return x * x\n"

    def made(**options: Any) -> list[str]:
        return [
            s.name for s in ast.parse(differentiate(source, Request(**options))).body if isinstance(s, ast.FunctionDef)
        ]

    assert made() == ["f_vjp"]
    assert made(default_emit=("grad", "value_and_grad")) == ["f_vjp"]
    assert made(emit=("grad",)) == ["f_grad"]


def test_what_nests_too_deeply_is_refused() -> None:
    lines = [f"{'    ' * (i + 1)}if x > {i}:" for i in range(97)]
    source = "\n".join(["def f(x: float):", *lines, "    " * 98 + "x = x * x", "    return x", ""])
    compile(source, "model.py", "exec")
    text = ""
    try:
        text = differentiate(source, Request(functions=("f",)))
    except S2SError as e:
        assert [d.code for d in e.diagnostics] == ["S222"]
    else:
        compile(text, "model_grad.py", "exec")


def test_a_hundred_returns_with_work_between_them_are_refused_at_their_function() -> None:
    steps = "".join(f"    y = y * x\n    if x < {i}.0:\n        return x * y\n" for i in range(110))
    with pytest.raises(S2SError) as fault:
        differentiate("def f(x: float, y: float):\n" + steps + "    return x\n")
    (d,) = fault.value.diagnostics
    assert d.code == "S222" and d.span is not None and d.span.line == 1


# ---------------------------------------------------------------- stubs


STUBS = """
import numpy as np


def _broken(x):
    with x:
        pass
    return x


def _through(x):
    return _broken(x) * 2.0


def good(x):
    return np.sin(x) * x


def direct(x):
    return _broken(x)


def indirect(x):
    return _through(x) + good(x)


def bad(x):
    yield x
"""


def test_a_refused_helper_refuses_the_functions_that_need_it() -> None:
    written = differentiate_module(STUBS, Request(stubs=True, emit=("grad", "value_and_grad")))
    text, refused = written.text, written.refused
    made = load(text, "m")
    assert made["good_grad"](0.5) == pytest.approx(np.cos(0.5) * 0.5 + np.sin(0.5))
    for name in ("direct", "indirect", "bad"):
        for kind in ("grad", "value_and_grad"):
            with pytest.raises(NotImplementedError, match=r"error\[S2\d\d\]"):
                made[f"{name}_{kind}"](0.5)
    assert {d.code for d in refused} == {"S207", "S208"} or len({d.code for d in refused}) == 2
    assert not unread(text)
    with pytest.raises(S2SError) as caught:
        differentiate(STUBS, Request(emit=("grad",)))
    assert len(caught.value.diagnostics) == 2, "each of them once"


COMMENTED = """
import numpy as np

def f(x, y):
    # nobody needs what this says
    unused = x + 1.0
    # set up
    a = np.sin(x)  # beside a

    # the middle,
    # in two lines
    b = a * y  # noqa: E741
    for i in range(3):  # beside the loop
        # in the loop
        b = b * a  # beside b, with a remark that does not fit at the end of a line of code, which is too long
    # fmt: off
    if b > 0.0:
        # positive
        b = 2.0 * b
    # otherwise
    elif b > -1.0:
        b = 3.0 * b
    else:
        # negative
        b = b * b
    # the end
    return b**2
"""


def test_the_comments_of_statements_return() -> None:
    text = agrees(COMMENTED, emit=("value_and_grad", "jvp"))
    for function in text.split("\ndef ")[1:]:
        for comment in ("set up", "the middle,", "in two lines", "in the loop", "positive", "otherwise", "the end"):
            assert function.count(f"    # {comment}\n") == 1, comment
        assert function.count("  # beside a\n") == 1 and function.count("# beside the loop\n") == 1
        assert "\n\n    # the middle,\n    # in two lines\n" in function
        assert (
            re.search(r"\n        # beside b, [^\n]*\n        # [^\n]* long\n        b = b \* a\n", function)
            and "\n        # negative\n" in function
        )
        assert not re.search("nobody needs|noqa|fmt:", function)
    assert all(len(line) <= 88 for line in text.split("\n")[2:])
    assert "    # set up\n    a_dot = np.cos(x) * x_dot\n    a = np.sin(x)  # beside a\n" in text
    # nothing else depends on them
    bare = re.sub(r"\n\n(?= )", "\n", re.sub(r" *# [^\n]*", "", COMMENTED))
    code = [ast.dump(ast.parse(t)) for t in (text, agrees(bare, emit=("value_and_grad", "jvp")))]
    assert code[0] == code[1]


def test_the_comments_of_a_derivative_that_is_differentiated_again() -> None:
    text = agrees("""
        import numpy as np

        def f(x, y):
            # the angle
            a = x * y
            return np.sin(a) * y  # the projection
    """, emit=("hvp", "value_and_grad"))  # fmt: skip
    assert [part.count("# the angle") for part in text.split("\ndef ")] == [0, 1, 1]
    assert text.count("# forward sweep") == text.count("# reverse sweep") == 2


def test_an_update_of_a_number_is_written_as_the_user_wrote_it() -> None:
    text = agrees("""
        import numpy as np

        def f(x: float, y: float):
            total = 1.0
            y += x
            for k in range(3):
                total += np.sin(y) * total
                old = total
                total -= 0.5 * y
                total *= 1.0 + old
            same = y
            same += 1.0
            return total * same
    """)
    assert "total += np.sin(y) * total\n" in text or "total += sine * total\n" in text
    assert "total -= 0.5 * y\n" in text and "total *= 1.0 + old\n" in text
    scope = load(text, "model_grad")
    x, y = np.array(0.7), np.array(1.3)  # arguments may be arrays of rank 0, which an update would change
    scope["f_value_and_grad"](x, y)
    scope["f_jvp"](x, y, x_dot=x, y_dot=y)
    assert (x, y) == (0.7, 1.3)


def test_constants_keep_their_comments_and_need_no_guard() -> None:
    source = '''"""A model."""
import math

import numpy as np

# standard gravity, m / s^2
G = 9.80665  # CODATA
# a comment of its own
RATE = 2.0 * G / math.pi  # 1 / s
UNREAD = 3.0  # not in the output
TITLE = "# not a comment"


def f(x):
    return np.sum(x) * G * RATE * len(TITLE)
'''
    text = differentiate(source, Request(functions=("f",)))
    wanted = """# standard gravity, m / s^2
G = 9.80665  # CODATA
# a comment of its own
RATE = 2.0 * G / math.pi  # 1 / s
TITLE = "# not a comment"
"""
    assert wanted in text
    assert "assert" not in text


@pytest.mark.parametrize(("head", "name"), [("", "math"), ("import math as m\n", "m")])
def test_pi_in_a_rule_names_its_module(head: str, name: str) -> None:
    """Also where nothing else of the output reads `math`."""
    source = f"{head}import scipy\n\n\ndef f(x):\n    return scipy.special.elliprd(0.0, 1.0, x)\n"
    text = differentiate(source, Request(functions=("f",)))
    space: dict[str, Any] = {}
    exec(text, space)
    f = scipy.special.elliprd
    np.testing.assert_allclose(
        space["f_grad"](0.7), (f(0.0, 1.0, 0.7 + 1e-6) - f(0.0, 1.0, 0.7 - 1e-6)) / 2e-6, rtol=1e-7
    )
    assert f"{name}.pi" in text
