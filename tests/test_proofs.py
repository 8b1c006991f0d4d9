"""A truth value is taken of numbers only. Where the test need not run, that is guarded; elsewhere it is a proof."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest

import checking
from programs import Program
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate_unformatted
from traps import program

A = np.array([1.0, 2.0, 3.0])
B = np.array([0.5, -1.0, 2.0])
# Each has a test of b that doesn't run in the call that hands it an array: (text, arguments with an array for b).
NOT_RUN = {
    "in a branch": (
        """
        def f(x, b, mode):
            if mode:
                if b > 0:
                    x = x * 2
            return np.sum(x * b)
        """,
        (A, B, False),
    ),
    "behind an early return": (
        """
        def f(x, b, mode):
            y = x * b
            if not mode:
                return np.sum(y)
            if b > 0:
                y = y * x
            return np.sum(y)
        """,
        (A, B, False),
    ),
    "behind `and`": (
        """
        def f(x, b, mode):
            if mode and b > 0:
                return np.sum(x)
            return np.sum(x * b)
        """,
        (A, B, False),
    ),
    "of a name that is bound to a number by then": (
        """
        def f(x, b, mode):
            k = b
            if not mode:
                k = 0.5
            if k > 0:
                x = x * 2
            return np.sum(x * b)
        """,
        (A, B, False),
    ),
    "of a name that a loop has bound to numbers by then": (
        """
        def f(x, b, mode):
            k = b * 2.0
            for i in range(3):
                k = i * 0.5
            return np.sum(x * b) * k if k > 0 else x
        """,
        (A, B, False),
    ),
    "in a loop without iterations": (
        """
        def f(x, b, mode):
            for _ in range(3 if mode else 0):
                if b > 0:
                    x = x * 2
            return np.sum(x * b)
        """,
        (A, B, False),
    ),
    "behind a break": (
        """
        def f(x, b, mode):
            s = 0.0
            for k in range(2):
                s = s + np.sum(x * b)
                if not mode:
                    break
                if b > 0:
                    s = s * 2.0
            return s
        """,
        (A, B, False),
    ),
    "in a helper": (
        """
        def g(x, b, mode):
            if mode:
                if b > 0:
                    x = x * 2
            return np.sum(x * b)

        def f(x, b, mode):
            return g(x, b, mode) ** 2
        """,
        (A, B, False),
    ),
    "of a local name": (
        """
        def f(x, b, mode):
            c = np.sin(b)
            if mode:
                if c > 0:
                    x = x * 2
            return np.sum(x * c)
        """,
        (A, B, False),
    ),
    "of what `math` takes": (
        """
        def f(x, b, mode):
            if mode:
                x = x * math.exp(b)
            return np.sum(x * b)
        """,
        (A, B, False),
    ),
    "of what `math` takes, in a choice": (
        """
        def f(x, b, mode):
            return np.sum(x) * math.sin(b) if mode else np.sum(x * b)
        """,
        (A, B, False),
    ),
    "of what `math` takes, in a comprehension": (
        """
        def f(x, b, mode):
            c = [math.sin(b * k) for k in range(2 if mode else 0)]
            return np.sum(x * b) + sum(c)
        """,
        (A, B, False),
    ),
}


def named(name: str, text: str, args: tuple[Any, ...]) -> Program:
    return program(name, "import math\n\nimport numpy as np\n\n" + textwrap.dedent(text), args, ())


@pytest.mark.parametrize("name", NOT_RUN)
def test_a_test_that_does_not_run_proves_nothing(name: str) -> None:
    text, args = NOT_RUN[name]
    for kinds in (("vjp", "jvp"), ("grad", "jvp")):
        assert checking.check(named(name, text, args), kinds, margin=0.0).kind in ("right", "guarded")
        assert checking.check(named(name, text, (0.7, 0.4, True)), kinds, margin=0.0).kind == "right"


UNPACKED = {
    "read": """
        def f(x, b, mode):
            m, n = x.shape
            return np.sum(x * b) / n
        """,
    "never read": """
        def f(x, b, mode):
            m, n = np.shape(x)
            return np.sum(x * b)
        """,
    "of a value that has no other rank": """
        def f(x, b, mode):
            y = x * 2.0
            m, n = y.shape
            y[0, 0] = 1.0
            t = y[1, 1]
            y[1, 1] = 0.5
            return np.sum(y * b) * t
        """,
}


@pytest.mark.parametrize("name", UNPACKED)
def test_lengths_that_are_unpacked_prove_a_rank(name: str) -> None:
    """`m, n = x.shape` raises for other ranks; where nobody reads the lengths, the output asks still."""
    made = program(
        name, "import numpy as np\n" + textwrap.dedent(UNPACKED[name]), (np.outer(A, B), A, False), ("x", "b")
    )
    assert checking.check(made, ("vjp", "jvp"), margin=0.0).kind == "right"
    text = differentiate_unformatted(made.source, Request(wrt=("x", "b"), emit=("grad",)))
    assert ("assert np.ndim(x) == 2" in text) is (name == "never read")
    assert ("assert np.ndim(y) == 2" in text) is (name == "of a value that has no other rank")
    derived = checking.evaluate(text, "<derivative>")
    with pytest.raises((AssertionError, ValueError)):
        derived["f_grad"](A, B, False)


@pytest.mark.parametrize(
    "text",
    [
        """
        def f(x, b, mode):
            if mode:
                m, n = x.shape
                return np.sum(x) / n
            return np.sum(x * b)
        """,
        """
        def f(x, b, mode):
            if np.ndim(x) == 1:
                x = x[:, None]
            m, n = x.shape
            return np.sum(x * b) / n
        """,
    ],
)
def test_lengths_that_one_path_unpacks_prove_nothing_of_another(text: str) -> None:
    for x, mode in ((A, False), (np.outer(A, B), True)):
        made = program("paths", "import numpy as np\n" + textwrap.dedent(text), (x, B, mode), ())
        assert checking.check(made, ("vjp", "jvp"), margin=0.0).kind == "right"


def test_what_is_read_where_the_test_runs_is_a_number() -> None:
    text = """
        import numpy as np

        def f(x, tol, n):
            s = x
            if s <= 0.0:
                return -s
            for _ in range(n):
                s = np.sin(s) * x
                if abs(s) < tol:
                    break
            return s
        """
    output = differentiate_unformatted(textwrap.dedent(text), Request(functions=("f",), emit=("vjp",)))
    assert "    assert np.ndim(x) == np.ndim(tol) == 0\n" in output and "_unbroadcast" not in output


def test_a_kind_that_is_asked_for_is_not_assumed() -> None:
    text = """
        def f(x, b):
            if isinstance(b, np.ndarray):
                return np.sum(x * b)
            if b > 0:
                return np.sum(x) * b
            return np.sum(x)
        """
    for b in (B, 0.4, -0.4):
        assert checking.check(named("asked", text, (A, b)), ("vjp", "jvp"), margin=0.0).kind == "right"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("return math.cos(x)", "x_bar = -math.sin(x)\n"),
        ("return x * math.exp(x * y)", "x_bar = e + y * e * x"),
    ],
)
def test_what_math_takes_is_a_number(body: str, wanted: str) -> None:
    text = f"import math\n\ndef f(x, y=1.0):\n    {body}\n"
    output = differentiate_unformatted(text, Request(functions=("f",)))
    assert wanted in output and "ones_like" not in output and "assert" not in output
    assert checking.check(named("math", text, (0.7, 0.4)), ("vjp", "jvp"), margin=0.0).kind == "right"


@pytest.mark.parametrize("test", ["isinstance(x, float)", "np.ndim(x) == 0", "np.shape(x) == ()", "np.size(x) < 2"])
def test_a_kind_that_is_asked_for_before_math_takes_it(test: str) -> None:
    for body in (f"if {test}:\n        return math.sin(x)\n", f"return math.sin(x) if {test} else np.sum(np.sin(x))\n"):
        text = f"def f(x):\n    {body}    return np.sum(np.sin(x))\n"
        for x in (A, 0.4):
            assert checking.check(named("asked", text, (x,)), ("vjp", "jvp"), margin=0.0).kind == "right"
        assert "_unbroadcast" not in differentiate_unformatted(
            "import math\nimport numpy as np\n" + text, Request(functions=("f",))
        )


# Updates `s += e` of values of unknown rank that have another name, which nobody reads behind them.
UPDATES = {
    "a maximum of what a loop has added up": """
        def f(x, w, n: int):
            cost = 0.0
            for i in range(n):
                total = 0.0
                for k in range(3):
                    total += np.sum(w * x[k]) * w
                bound = max(np.sum(total), 1e-8)
                cost += bound - np.log(bound)
            return cost
        """,
    "another name before": """
        def f(x, w, n: int):
            s = np.sin(x) * w
            first = s
            y = np.sum(first * x)
            for _ in range(n):
                s += x * w
            return y * np.sum(s * s)
        """,
    "another name behind": """
        def f(x, w, n: int):
            s = 0.0
            for _ in range(n):
                s += x * w
            last = s
            return np.sum(last * s)
        """,
    "a name for each iteration": """
        def f(x, w, n: int):
            y = 0.0
            for k in range(n):
                s = x * w
                s += x
                before = s
                y = y + np.sum(before * s) * (k + 1.0)
            return y
        """,
}


@pytest.mark.parametrize("name", UPDATES)
def test_updates_that_nobody_sees(name: str) -> None:
    for args in ((A, 0.7, 3), (A, B, 2)):
        assert checking.check(named(name, UPDATES[name], args), ("vjp", "jvp"), margin=0.0).kind == "right"


@pytest.mark.parametrize(
    "text",
    [
        """
        def f(x, w):
            s = x * w
            old = s
            s += x
            return np.sum(old * s)
        """,
        """
        def f(x, w):
            s = x * w
            y = 0.0
            for _ in range(2):
                old = s
                s += x
                y = y + np.sum(old * w)
            return y
        """,
        """
        def f(x, w):
            s = x * w
            kept = []
            for _ in range(2):
                kept.append(s)
                s += x
            return np.sum(kept[0] * kept[1])
        """,
    ],
)
def test_updates_that_somebody_sees(text: str) -> None:
    for args in ((A, 0.7), (0.3, 0.7)):
        assert checking.check(named("seen", text, args), ("vjp", "jvp"), margin=0.0).kind in ("right", "refused")


def test_numbers_in_defaults_are_no_names() -> None:
    text = """
        def root(a, tol=1e-9, scale=2.0e1, j=np.e):
            x = a
            while abs(x * x - a) > tol:
                x = 0.5 * (x + a / x)
            return x * scale * j

        def f(a, e):
            return root(a * e) * e
        """
    assert checking.check(named("defaults", text, (2.0, 1.3)), ("vjp", "jvp"), margin=0.0).kind == "right"


def test_a_stated_shape_is_that_of_an_array() -> None:
    text = """
        import numpy as np

        # s2s: rows (k, d), x (d,)
        def f(rows, x):
            s = 0.0
            for j in range(len(rows)):
                s += np.sum((x - rows[j]) ** 2)
            return s
        """
    output = differentiate_unformatted(textwrap.dedent(text), Request(functions=("f",)))
    assert "np.zeros_like(rows" in output and "_zeros_like(x)" not in output


def test_what_comes_from_outside_is_a_number_if_the_result_is() -> None:
    """The text takes the constant and the result of the call for numbers, and says so."""
    text = """
    from lib import k, load

    def f(x):
        c = load("c")
        return x * x * k * c
    """
    made = differentiate_unformatted(textwrap.dedent(text), Request(functions=("f",)))
    assert "assert np.ndim(x) == np.ndim(k) == 0" in made and "assert np.ndim(c) == 0" in made
    assert "np.sum" not in made


@pytest.mark.parametrize("W", [np.array([0.4, -0.3, 0.8]), np.array([[0.4, 1.2], [-0.3, 0.1], [0.8, -0.7]])])
def test_an_item_that_its_update_reads_at_once_is_a_value(W: np.ndarray) -> None:
    """A number or a row: nothing is written between the two."""
    text = """
    def f(W, y):
        Z = np.ones((3, 5))
        b = W if y < 0.5 else Z
        b[-1] *= np.tanh(np.linspace(0.2, 0.9, 3) @ b)
        return np.sum(b**2)
    """
    source = "import numpy as np\n" + textwrap.dedent(text)
    assert checking.check(Program(source, (W, 0.3), ("W",), ("W", "y"), True), ("vjp", "jvp")).kind == "right"
    assert "isscalar" not in differentiate_unformatted(source, Request(functions=("f",), wrt=("W",), emit=("vjp",)))


def test_an_item_that_is_read_before_its_array_is_written_is_a_number_or_the_output_raises() -> None:
    text = """
    def f(x):
        c = x[np.argsort(x * -1.0)]
        c[0], c[-1] = c[-1], c[0]
        return np.sum(c * np.arange(1.0, len(c) + 1.0)[: len(c)].reshape(c.shape[:1] + (1,) * (c.ndim - 1)) ** 2)
    """
    source = "import numpy as np\n" + textwrap.dedent(text)
    found = checking.check(Program(source, (np.array([0.3, -0.4, 1.1]),), ("x",), ("x",), True))
    assert found.kind == "right", found
    derived = differentiate_unformatted(source, Request(functions=("f",), emit=("vjp",)))
    assert "assert np.isscalar(c_0)" in derived
    space: dict[str, Any] = {}
    exec(derived, space)
    with pytest.raises(AssertionError):
        space["f_vjp"](np.ones((2, 2, 2)))


def test_an_item_of_a_sum_that_is_written_behind_it_is_asserted_to_be_a_number() -> None:
    """The rank of `x + z` is that of either: neither parameter is asserted to have one axis."""
    text = """
    def f(x, z, k: float):
        y = x + z
        first = y[0]
        for i in range(2):
            y[i] = k * first * y[i + 1]
        return np.sum(y * first)
    """
    source = "import numpy as np\n" + textwrap.dedent(text)
    args = (np.array([0.3, -0.4, 1.1]), np.array([0.9, 0.2, -0.5]), 0.7)
    assert checking.check(Program(source, args, ("x", "z", "k"), ("x", "z", "k"), True)).kind == "right"
    derived = differentiate_unformatted(source, Request(functions=("f",), emit=("grad",)))
    assert "assert np.isscalar(first)" in derived
    space: dict[str, Any] = {}
    exec(derived, space)
    with pytest.raises(AssertionError):
        space["f_grad"](np.ones((3, 3)), np.ones((3, 3)), 0.7)
    with pytest.raises(S2SError, match="S237"):  # a sum of it says that it is an array
        differentiate_unformatted(source.replace("y * first", "y) * np.sum(first"), Request(emit=("vjp",)))


@pytest.mark.parametrize(
    "body",
    [
        "t = [np.sum(u), p['k'], math.atan(p['k'])]\n    t[1] *= t[1]\n    return t[0] * t[1] * t[2]",
        "t = p['k']\n    t *= np.sum(u)\n    return t + math.atan(p['k'])",
    ],
)
def test_an_entry_that_is_taken_for_a_number_and_updated_is_no_array_of_rank_zero(body: str) -> None:
    source = f"import math\n\nimport numpy as np\n\n\ndef f(u, p):\n    {body}\n"
    u = np.array([0.3, -0.4, 1.1])
    assert checking.check(Program(source, (u, {"k": 0.7}), ("u", "p"), ("u", "p"), True)).kind == "right"
    space: dict[str, Any] = {}
    exec(differentiate_unformatted(source, Request(functions=("f",), emit=("grad",))), space)
    with pytest.raises(AssertionError):
        space["f_grad"](u, {"k": np.array(0.7)})


def test_where_shapes_are_stated_no_item_is_taken_for_a_number() -> None:
    body = (
        "def f(w, z, n: int):\n    c = np.atleast_2d(z)[:1]\n    t = c[n % 1]\n    c *= 2.0\n    return np.sum(t * w)\n"
    )
    asked = Request(functions=("f",), wrt=("w",), emit=("vjp",))
    assert "assert np.isscalar(t)" in differentiate_unformatted(f"import numpy as np\n\n\n{body}", asked)
    with pytest.raises(S2SError, match="S237"):
        differentiate_unformatted(f"import numpy as np\n\n\n# s2s: w (3,), z (3,)\n{body}", asked)


def test_a_test_of_an_item_says_nothing_of_the_whole() -> None:
    """`M[1, 1]` is a number, so M has two axes: what M was bound to before has them, too."""
    text = """
    def f(u, b, M):
        for t in range(2):
            if b < 1:
                M = np.cos(M * u[:, np.newaxis]) * M
        return min(b, b if b >= M[1, 1] else b) + b + np.sum(u)
    """
    found = checking.check(
        Program(
            "import numpy as np\n" + textwrap.dedent(text),
            (A[:2], 0.4, np.outer(A, B)[:2]),
            ("u", "b"),
            ("u", "b", "M"),
            True,
        )
    )
    assert found.kind in ("right", "dropped"), found


def test_a_result_that_turns_out_not_to_be_a_number_is_an_error_in_each_gradient() -> None:
    text = differentiate_unformatted("def f(A, x):\n    return x @ (A @ x)\n", Request(emit=("grad",)))
    space: dict[str, Any] = {}
    exec(text, space)
    A, x = np.arange(4.0).reshape(2, 2), np.array([1.0, -2.0])
    A_bar, x_bar = space["f_grad"](A, x)
    np.testing.assert_allclose(A_bar, np.outer(x, x))
    np.testing.assert_allclose(x_bar, (A + A.T) @ x)
    with pytest.raises(ValueError, match=r"not a scalar: its shape is \(2,\)"):
        space["f_grad"](np.ones((2, 2, 2)), x)


def test_an_adjoint_that_is_an_array_of_rank_0_is_not_changed_under_another_name() -> None:
    """np.where of numbers gives an array of rank 0: `z_bar = s` and then `z_bar += ...` would change s."""
    text = """
        import numpy as np

        def f(x):
            s = np.where(x[0] > 0.0, x[1], x[2])
            z = x[0] * 2.0
            w = np.sin(s)
            a = z * z * x[1]
            b = s * z
            return w * a + b
        """
    for emit in (("grad", "jvp"), ("value_and_grad", "jvp"), ("vjp", "jvp")):
        program_ = Program(textwrap.dedent(text), (np.array([0.5, 0.3, 0.2]),), ("x",), ("x",), True)
        assert checking.check(program_, emit, margin=0.0).kind == "right"


SEEDS = {
    "a tuple": ("return x * y, np.sum(x)", (A, 1.0), [(A,), (A, 1.0, 1.0), (1.0, 1.0), (A, A)]),
    "a dict": ("return {'p': x * y, 'q': np.sum(x)}", {"p": A, "q": 1.0}, [{"p": 1.0, "q": 1.0}, {"p": A, "q": A}]),
    "a dict of lists": ("return {'p': [x, x * y]}", {"p": [A, A]}, [{"p": [A]}, {"p": [A, 1.0]}, {"p": [A, A, A]}]),
    "a list that grows": (
        "hs = []\n    for k in range(2):\n        hs.append(x * y)\n    return hs",
        [A, A],
        [[A], [A, 1.0], [A, A, A]],
    ),
    "of two branches": (
        "if np.sum(x) > 0.0:\n        return x, y\n    return y, x",
        (A, A),
        [(A, 1.0), (A,), (1.0, A)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("body", "right", "wrong"), SEEDS.values(), ids=SEEDS)
def test_a_cotangent_that_does_not_have_the_structure_of_the_result(body: str, right: Any, wrong: list[Any]) -> None:
    source = f"import numpy as np\ndef f(x, y):\n    {body}\n"
    space: dict[str, Any] = {}
    exec(differentiate_unformatted(source, Request(emit=("vjp",))), space)
    _, (x_bar, y_bar) = space["f_vjp"](A, B, out_bar=right)
    assert np.shape(x_bar) == np.shape(y_bar) == np.shape(A)
    for seed in wrong:
        with pytest.raises((AssertionError, KeyError, IndexError)):
            space["f_vjp"](A, B, out_bar=seed)


VIEWS = {
    "a copy of a list": (
        "    r = [y[0, ...], y[1, ...]]\n    p = r[:]\n    y[0] = 5.0 * x[1]\n    return p[0] * p[1] * x[2]\n"
    ),
    "a list spread out": (
        "    r = [y[:1].reshape(()), y[1, ...]]\n    p = [*r, x[0]]\n    y[0] = 5.0 * x[1]\n"
        "    y[1] *= p[0]\n    return p[0] * p[1] * x[2]\n"
    ),
    "a loop": (
        "    s = 0.0\n    for v in [y[0, ...], y[1, ...]]:\n        y[0] = 5.0 * x[1]\n"
        "        y[1] = 3.0 * x[1] * v\n        s = s + v\n    return s * x[2]\n"
    ),
    "what a helper returns": "    a, b = two(y)\n    y[0] = 5.0 * x[1]\n    return a * b * x[2]\n",
    "what a helper returns, in a list": (
        "    r = [first(y), x[1]]\n    p = r[:]\n    y[0] = 5.0 * x[1]\n    return p[0] * p[1] * x[2]\n"
    ),
    "what a helper returns, in a loop": (
        "    r = [first(y), first(y[1:])]\n    y[0] = 5.0 * x[1]\n    s = 0.0\n    for v in r:\n"
        "        s = s + v * x[1]\n        y[1] += s\n    return s * r[1]\n"
    ),
    "what a helper returns, in a dict": (
        '    r = {"a": first(y), "b": x[0]}\n    y[0] = 5.0 * x[1]\n    return r["a"] * r["b"]\n'
    ),
    "what a helper returns of another": (
        "    a, b = (lambda u: two(u))(y)\n    y[0] = 5.0 * x[1]\n    return a * b * x[2]\n"
    ),
}


@pytest.mark.parametrize("name", VIEWS)
def test_views_of_rank_zero_of_an_array_that_is_written_are_no_numbers(name: str) -> None:
    """Each is right, or refused."""
    head = "import numpy as np\n\n\ndef first(y):\n    return y[0, ...]\n\n\n"
    head += "def two(y):\n    return y[0, ...], y[1]\n\n\n# s2s: x (3,)\ndef f(x):\n    y = x * 2.0\n"
    program = Program(head + VIEWS[name], (np.array([0.3, -0.4, 1.1]),), ("x",), ("x",), True)
    for emit in ("grad", "vjp", "jvp"):
        assert checking.check(program, (emit,)).kind in ("right", "refused")
