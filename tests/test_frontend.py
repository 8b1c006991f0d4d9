"""The frontend: what it reads runs as the user's function does; what it refuses has a code and a place.

The oracle is execution: the IR in A-normal form prints as Python, and that Python computes the same values as the
original, for every construct and every pattern of exits.
"""

from __future__ import annotations

import copy
import random
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from frontend_programs import EXITS, PROGRAMS
from s2s import ir
from s2s.errors import S2SError, Span
from s2s.frontend import parse_shapes, read_module, stated
from s2s.frontend.text.exits import Continue, Leave
from s2s.frontend.text.refuse import FAMILIES
from s2s.frontend.text.source import one_line
from s2s.pipeline import Request, differentiate

HEAD = "import math\nimport numpy as np\nfrom math import sin\n\n"


def load(text: str, name: str = "f") -> Any:
    scope: dict[str, Any] = {"__name__": "model"}
    exec(compile(text, "model.py", "exec"), scope)
    return scope[name]


def outcome(f: Any, args: tuple[Any, ...]) -> tuple[str, Any]:
    try:
        return "value", f(*copy.deepcopy(args))
    except Exception as e:
        return "raised", type(e)


def same(a: Any, b: Any) -> bool:
    if isinstance(a, tuple | list) and type(a) is type(b):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, np.ndarray | np.generic | float):
        return bool(np.allclose(a, b, rtol=1e-13, atol=0, equal_nan=True)) and np.shape(a) == np.shape(b)
    return bool(a == b)


def check_form(block: ir.Block) -> None:
    """Exits end their blocks, nothing of the raw form is left, and operands of operations are atoms."""
    for i, s in enumerate(block):
        assert not isinstance(s, Continue | Leave)
        if isinstance(s, ir.Break | ir.Return) or (isinstance(s, ir.Inert) and s.keyword == "raise"):
            assert i == len(block) - 1, "a statement behind an exit"
        if isinstance(s, ir.If) and i < len(block) - 1:
            assert not own_exits(s), "an exit with a rest beside it"
        if isinstance(s, ir.Assign | ir.Unpack | ir.Append | ir.Return):
            check_value(s.value)
        for inner in ir.blocks(s):
            check_form(inner)


ARITHMETIC = {"numpy.add", "numpy.subtract", "numpy.multiply", "numpy.divide", "numpy.power", "numpy.matmul"}


def check_value(e: ir.Expr) -> None:
    """A-normal form: the operands of arithmetic are atoms, and so are the arguments of helpers."""
    match e:
        case ir.Op(fn=fn, args=args) if fn in ARITHMETIC or fn.startswith("local."):
            assert all(map(ir.is_atom, args)), ir.Printer()(e)
        case ir.Sequence(items=items) | ir.Dict(values=items):
            for item in items:
                assert ir.is_atom(item) or isinstance(item, ir.Sequence), ir.Printer()(e)


def own_exits(s: ir.Stmt) -> list[ir.Stmt]:
    """Exits that leave the statement: breaks of inner loops stay inside them."""
    match s:
        case ir.Break() | ir.Return():
            return [s]
        case ir.If():
            return [e for block in (s.body, s.orelse) for x in block for e in own_exits(x)]
        case ir.For() | ir.While():
            return [e for x in s.body for e in own_exits(x) if isinstance(e, ir.Return)]
    return []


def check_no_return_in_loops(block: ir.Block, inside: bool = False) -> None:
    for s in block:
        assert not (inside and isinstance(s, ir.Return))
        for inner in ir.blocks(s):
            check_no_return_in_loops(inner, inside or isinstance(s, ir.For | ir.While))


def agree(text: str, *runs: tuple[Any, ...], name: str = "f") -> ir.Function:
    """The function's IR, after it has given the same outcomes as the function itself."""
    text = HEAD + textwrap.dedent(text)
    module = read_module(text, "model.py")
    function = module.function(name)
    printed = ir.print_function(function)
    original, lowered = load(text, name), load(text + "\n\n" + printed, name)
    for args in runs:
        a, b = outcome(original, args), outcome(lowered, args)
        assert a[0] == b[0] and same(a[1], b[1]), f"{args}: {a} but {b}\n{printed}"
    check_form(function.body)
    check_no_return_in_loops(function.body)
    return function


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    text, runs = PROGRAMS[name]
    agree(text, *runs)


@pytest.mark.parametrize("name", EXITS)
def test_exits(name: str) -> None:
    body = textwrap.indent(textwrap.dedent(EXITS[name]).strip("\n"), "    ")
    runs = [(s, n) for s in (0, 1, 5) for n in range(7)]
    agree(f"def f(s, n):\n{body}\n    return s\n", *runs)
    agree(f"def f(s, n):\n{body}\n", *runs)
    agree(f"def f(s, n):\n{body}\n    t = s * 2\n    return t, n\n", *runs)


def random_block(r: random.Random, depth: int, loop: bool, budget: list[int]) -> list[str]:
    """A random block with exits anywhere; `c` counts steps, so that every loop ends."""
    out: list[str] = []
    for _ in range(r.randint(1, 3)):
        budget[0] -= 1
        tests = [
            f"s % {r.randint(2, 5)} == {r.randint(0, 2)}",
            f"s > {r.randint(0, 40)}",
            f"c > {r.randint(2, 12)}",
            "not (s & 1)",
            f"n < {r.randint(0, 6)}",
        ]
        kind = r.choice(["assign", "if", "if", "for", "while", "exit"]) if depth and budget[0] > 0 else "assign"
        if kind == "assign":
            out.append(
                r.choice(
                    [
                        f"s = s + {r.randint(1, 9)}",
                        "s += c",
                        f"s = s * {r.randint(2, 3)} % 97",
                        "c += 1",
                        "n = n - 1",
                        f"s = {r.randint(0, 9)}",
                        f"n = {r.randint(0, 3)}",
                        "s, n = n, s % 7",
                        "d = s",
                    ]
                )
            )
        elif kind == "if":
            out.append(f"if {r.choice(tests)}:")
            out += indented(random_block(r, depth - 1, loop, budget))
            if r.random() < 0.3:
                out.append(f"elif {r.choice(tests)}:")
                out += indented(random_block(r, depth - 1, loop, budget))
            if r.random() < 0.4:
                out.append("else:")
                out += indented(random_block(r, depth - 1, loop, budget))
        elif kind == "for":
            out.append(f"for {r.choice('ijk')} in range({r.choice(['n', '3', 's % 4', 'c % 3'])}):")
            out += indented(["c += 1", *random_block(r, depth - 1, True, budget)])
        elif kind == "while":
            out.append(f"while {r.choice(['True', 's < 30', 'n > 0'])}:")
            out += indented(
                [
                    "c += 1",
                    "if c > 25:",
                    "    " + r.choice(["break", "return s"]),
                    *random_block(r, depth - 1, True, budget),
                ]
            )
        elif loop:
            out.append(
                r.choice(
                    [
                        "break",
                        "continue",
                        "return s, c",
                        "return s * 2",
                        "return",
                        "return d",
                        "return 5",
                        "raise ValueError",
                    ]
                )
            )
        else:
            out.append(
                r.choice(["return s, c", "return s * 2 + c", "return s", "return d, n", "return 5", "raise KeyError"])
            )
    return out


def indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


@pytest.mark.parametrize("seed", range(300))
def test_random_exits(seed: int) -> None:
    r = random.Random(seed)
    body = random_block(r, 4, False, [25])
    text = "\n".join(["def f(s, n):", "    c = d = 0", *indented(body)])
    if r.random() < 0.7:
        text += "\n    s = s * 2 + c\n    return s, c, n"
    agree(text + "\n", *[(s, n) for s in (0, 3, 8, 21) for n in (0, 1, 4)])


def test_long_elif_chain() -> None:
    lines = [f"    {'elif' if i else 'if'} x == {i}:\n        y = x * {i}\n" for i in range(90)]
    text = "def f(x):\n" + "".join(lines) + "    else:\n        y = -x\n    return y\n"
    agree(text, (0,), (17,), (99,))


# ---------------------------------------------------------------- refusals

# body of `def f(x, y, p)`, then the codes with the text under the caret
REFUSED: dict[str, list[tuple[str, str]]] = {
    "x.a = 1\nreturn helper(x)": [("S202", "a")],
    "q = x + 1\nq.T = 1": [("S201", "q.T")],
    "for x[0] in y: pass": [("S201", "x[0]")],
    "x.append(1)": [("S202", "x.append(1)")],
    "L = x\nL.append(1)": [("S202", "L.append(1)")],
    "L = [1]\nL.pop()\nL.append(2)\nreturn x": [],
    # who else has the list sees that an item is gone: which names these are is found when it is differentiated
    "L = [x, y]\nM = L\ny = M.pop()\nreturn sum(L) * y": [],
    "L = [[x], [y]]\nM = L[0]\ny = M.pop()\nreturn len(L[0]) * y": [],
    "L = [x, y]\nM = L or []\ny = M.pop()\nreturn sum(L) * y": [],
    "L = {'a': [x, y]}\nM = L['a']\ny = M.pop()\nreturn sum(L['a']) * y": [],
    "g = lambda: sum(L)\nL = [x, y]\nreturn L.pop() * g()": [],
    "L = [x, y]\ndef g():\n    return sum(L)\ny = L.pop()\nreturn y * g()": [],
    "M = (L := [x, y])\ny = L.pop()\nreturn y * sum(M)": [],
    "L = [x, y]\nM = list(L)\ny = M.pop()\nreturn y * sum(L)": [],
    "if x.pop(): pass": [("S202", "x.pop()")],
    "print(x.pop())": [("S202", "x.pop()")],
    "thing(x)": [("S202", "thing(x)")],
    "def g(y):\n    return y\nif x > 0:\n    g = 2": [("S203", "def g(y):\n        return y")],
    "g = lambda v: v\nreturn g": [("S217", "g")],
    "def g(y):\n    yield y\nfor v in g(x): pass": [("S208", "def g(y):\n        yield y")],
    "def g(y):\n    return y\nif x > 1:\n    g = helper if x > 0 else g\nreturn g(x)": [
        ("S217", "def g(y):\n        return y"),
        ("S217", "helper if x > 0 else g"),
        ("S217", "g"),
    ],
    "def g(y):\n    return y\ny = sorted(p, key=g)": [("S217", "g")],
    "L = [lambda v: v]\nL.append(x)": [("S217", "lambda v: v")],
    "@np.vectorize\ndef g(y):\n    return y": [("S212", "np.vectorize")],
    "class A: pass": [("S204", "class A: pass")],
    "with x: y = 1": [("S205", "x")],
    "with x:\n    x.partition(1)": [("S205", "x"), ("S202", "x.partition(1)")],
    "np.put(x, 0, 1, 'wrap')": [("S202", "np.put(x, 0, 1, 'wrap')")],
    "x.put(0, 1, mode='clip')": [("S202", "x.put(0, 1, mode='clip')")],
    "x.partition(1)": [("S202", "x.partition(1)")],
    "with np.errstate(all='ignore') as e: y = 1": [("S205", "np.errstate(all='ignore')")],
    "with np.errstate(all=p): y = 1": [("S205", "np.errstate(all=p)")],
    "with np.errstate():\n    if x: return 1\n    y = 2": [],
    "for i in x:\n    try: y = 1\n    finally: break": [("S206", "try: y = 1\n        finally: break")],
    "try: y = 1\nexcept* ValueError: pass": [("S206", "try: y = 1\n    except* ValueError: pass")],
    "match x:\n    case {'a': 1, **b}: y = 2": [("S207", "{'a': 1, **b}")],
    "match x:\n    case (1, a) | (a, 2): y = a": [("S207", "(1, a) | (a, 2)")],
    "match x:\n    case [a] if a > 0: y = a\na = 2": [("S207", "[a]")],
    "yield x": [("S208", "yield x")],
    "y = yield": [("S208", "yield")],
    "global z\nz = 1": [("S210", "global z")],
    "del x[0]": [("S211", "x[0]")],
    "return np.maximum(*x, *x)": [("S213", "*x"), ("S213", "*x")],
    "return np.sum(**p)": [("S213", "**p")],
    "return {**p, **y}": [("S213", "{**p, **y}")],
    "g = (v for v in x)": [("S214", "(v for v in x)")],
    "return p['a'] * p[y]": [("S215", "p[y]")],
    "return x.weight * 2": [],
    "p['w'] = 2.0\nreturn p['w']": [],
    "return p(x)": [("S217", "p")],
    "return (p or x)(1)": [("S217", "p or x")],
    "return x + (x := 2)": [("S218", "x := 2")],
    "return 0 < x < (z := y)": [("S218", "0 < x < (z := y)")],
    "L = [1]\nfor v in L:\n    L.append(v)": [("S219", "L")],
    "for a, *b in x: pass": [],
    "a, b = x, x, x": [("S220", "x, x, x")],
    "return eval('x')": [("S221", "eval('x')")],
    "return x + yy + zz.a + qq(x)": [("S107", "yy"), ("S107", "zz"), ("S107", "qq")],
    "if isinstance(x, float):\n    return yy": [],
    "é = 'é'; x.partition(é)": [("S202", "x.partition(é)")],
    "y = x  # s2s: foo": [("S410", "y = x")],
    "return x  # s2s: constant": [("S410", "return x")],
}


@pytest.mark.parametrize("body", REFUSED)
def test_refused(body: str) -> None:
    """Each construct has its code, and the caret stands under it."""
    text = f"{HEAD}from a import thing\nstate = 1\n\n\ndef change():\n    global state\n    state = 2\n\n\n"
    text += "def helper(a):\n    return a\n\n\ndef f(x, y, p):\n"
    text += textwrap.indent(body, "    ") + "\n"
    module = read_module(text, "model.py")
    if not REFUSED[body]:
        module.function("f")
        return
    with pytest.raises(S2SError) as caught:
        module.function("f")
    found = [(d.code, module.source.between(d.span)) for d in caught.value.diagnostics if d.span]
    assert found == REFUSED[body]
    assert "model.py:" in str(caught.value) and "^" in str(caught.value)
    with pytest.raises(S2SError):  # and again, from memory
        module.function("f")


def test_all_refusals_at_once() -> None:
    text = "def f(x, p):\n    y = {**p, **x}\n    x.y = 1\n    with x:\n        x.partition(1)\n    return p(x)\n"
    with pytest.raises(S2SError) as caught:
        read_module(text).function("f")
    assert [d.code for d in caught.value.diagnostics] == ["S213", "S205", "S202", "S217"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("@np.vectorize\ndef f(x):\n    return x\n", "S212"),
        ("def f(x):\n    return x\nf = np.vectorize(f)\n", "S212"),
        ("async def f(x):\n    return x\n", "S208"),
        ("def g(x):\n    return x\n", "S401"),
        ("if True:\n    def f(x):\n        return x\n", "S401"),
        ("class f:\n    pass\n", "S401"),
    ],
)
def test_refused_function(text: str, code: str) -> None:
    with pytest.raises(S2SError) as caught:
        read_module("import numpy as np\n" + text).function("f")
    assert [d.code for d in caught.value.diagnostics] == [code]


def test_what_stands_in_for_numba_gives_the_function_back() -> None:
    text = (
        "try:\n    from numba import njit\nexcept ImportError:\n    def njit(g):\n        return {}\n"
        "@njit\ndef f(x):\n    return x**2\n"
    )
    assert "2.0 * x" in differentiate(text.format("g"), Request(functions=("f",)))
    with pytest.raises(S2SError, match="S212"):
        differentiate(text.format("lambda *a: 2 * g(*a)"), Request(functions=("f",), read={}.get))


# ---------------------------------------------------------------- branches that no number reaches


def test_foreign_branches_are_carried_over() -> None:
    text = """
    import pandas as pd

    def f(x, y=None):
        if isinstance(x, pd.Series):
            x = x.values
        if hasattr(x, "detach") and not isinstance(x, np.ndarray):
            with x.lock:
                return x.detach()
        if isinstance(x, str):
            return float(x)
        if not isinstance(x, (int, float, np.ndarray)):
            raise TypeError(f"{type(x).__name__}: {[v for v in x.parts]}")
        if y is not None:
            x = x + y
        return x * 2
    """
    text = HEAD + textwrap.dedent(text)
    function = read_module(text).function("f")
    printed = ir.print_function(function)
    assert "x = x.values" in printed
    assert "detach()" not in printed.replace("return x.detach()", "") and "raise TypeError" in printed
    module = {"np": np, "pd": type("pd", (), {"Series": type("Series", (), {"values": 3.0})})}
    exec(printed, module)
    assert module["f"](2.0) == 4.0 and module["f"](2.0, 1.0) == 6.0  # type: ignore[operator]
    with pytest.raises(TypeError, match="f has no derivative here"):
        module["f"]("3")  # type: ignore[operator]


def test_a_path_that_only_raises_never_sinks_a_function() -> None:
    text = """
    def f(x):
        if x < 0:
            parts = {v for v in str(x)}
            raise ValueError(f"{parts} {x.foo}")
        return x
    """
    function = agree(text, (1.0,))
    assert "parts = {v for v in str(x)}" in ir.print_function(function)
    text = """
    def f(x):
        if x < 0:
            with x.lock:
                raise ValueError
            raise KeyError(x)
        return x
    """
    agree(text, (1.0,))


# ---------------------------------------------------------------- reading files


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"def f(x):\n    return x +\n", "S101", 2),
        (b"def f(x)\n    return x\n", "S101", 1),
        (b"def f(x):\nreturn x\n", "S101", 2),
        (b"def f(x):\n\treturn x\n        return 2\n", "S101", 3),
        (b"x = '\n", "S101", 1),
        (b"print 'x'\n", "S101", 1),
        (b"def f(x):\n    break\n", "", 0),
        (b"x = 1\x00\n", "S103", 0),
        (b"# \xff\nx = 1\n", "S102", 0),
        (b"# coding: nonsense\nx = 1\n", "S102", 0),
        (b"# coding: rot13\nx = 1\n", "S102", 0),
        (b"", "S104", 0),
        (b"  \n\n", "S104", 0),
        (b"x = 1\n" * 50_002, "S105", 0),
        (b"# " + b"x" * 2_000_001, "S105", 0),
        (b"x = " + b"(" * 2000 + b"1" + b")" * 2000, "S106", 1),
        (b"x = " + b"[" * 150 + b"]" * 150, "", 0),
        (b"x = " + b"-" * 5000 + b"1", "S106", 0),
    ],
)
def test_files(data: bytes, code: str, line: int) -> None:
    if not code:
        read_module(data)
        return
    with pytest.raises(S2SError) as caught:
        read_module(data, "model.py")
    d = caught.value.diagnostics[0]
    assert d.code == code and (not line or (d.span is not None and d.span.line == line))
    assert f"error[{code}]" in str(caught.value) and "model.py" in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfdef f(x):\r\n    # c\r\n    return x\r\n",
        b"# coding: latin-1\ndef f(x):\n    s = '\xe9'\n    return x\n",
        b"def f(x):\r    return x\r",
        "def f(x):\n    return x",
        "\ufeffdef f(x):\n    return x",
        "def f(x):\n\x0c\n    return x  # \x0c\n",
        "def f(x):\n    s = '\u2028'  # \u2028\n    return x\n",
    ],
)
def test_encodings(data: str | bytes) -> None:
    printed = ir.print_function(read_module(data).function("f"))
    assert load(printed)(3.0) == 3.0


def test_syntax_error_is_shown_where_python_shows_it() -> None:
    with pytest.raises(S2SError) as caught:
        read_module("x = 1\ny = (2,\nz = 3\n", "model.py")
    assert "error[S101]: '(' was never closed" in str(caught.value) and "model.py:2:5" in str(caught.value)


def test_hidden_characters_are_warned_of() -> None:
    module = read_module("def f(x):\n    return x  # \u202e\n")
    assert [(d.code, d.severity, d.span) for d in module.warnings] == [("S109", "warning", Span(2, 16, 2, 17))]


def run_deep(work: Any) -> None:
    """As the pipeline does: a thread with a large stack."""
    failed: list[BaseException] = []

    def target() -> None:
        try:
            work()
        except BaseException as e:
            failed.append(e)

    limit, size = sys.getrecursionlimit(), threading.stack_size()
    sys.setrecursionlimit(60_000)
    threading.stack_size(512 * 1024 * 1024)
    try:
        thread = threading.Thread(target=target)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if failed:
        raise failed[0]


@pytest.mark.parametrize(
    "body",
    [
        "return " + " + ".join(f"x * {i}" for i in range(1000)),
        "return " + "-" * 900 + "x",
        "return x" + ".T" * 900,
        "".join(f"{'elif' if i else 'if'} x == {i}:\n    return x * {i}\n" for i in range(600)) + "return 1.0",
        "".join(f"if x == {i}:\n    return x * {i}\n" for i in range(600)) + "return 1.0",
    ],
    ids=["sum", "minus", "attributes", "elif", "guards"],
)
def test_deep(body: str) -> None:
    text = "def f(x):\n    # c\n" + textwrap.indent(body, "    ") + "\n"

    def work() -> None:
        start = time.process_time()
        module = read_module(text)
        printed = ir.print_function(module.function("f"))
        assert time.process_time() - start < 60.0
        assert "x" in printed

    run_deep(work)


# ---------------------------------------------------------------- the module


MODULE = '''"""A model."""
from __future__ import annotations

import math
import numpy as np
import numpy.linalg
import numpy.linalg as la
from math import *
from numpy import sin, cos as cosine
from .near import thing
import json, os.path as osp

try:
    from scipy.special import erf
    HAVE = True
except ImportError:
    from math import erf
    HAVE = False

G: float = 9.81
TWO = 2
HALF = 1 / TWO
ROOT = math.sqrt(2.0) * np.pi
NAMES = ("a", 'b',
         "c")  # names
TABLE = {"x": [1, -2.5], "y": None}
TAU = 2 * pi
INFINITE = float("inf")
WEIGHTS = np.array([1.0, 2.0])
COUNT = 0
GROWN = []
GROWN.append(1)
SET = [1, 2]
SET[0] = 3
TWICE = 1
TWICE = 2
a, b = 1, 2
for i in range(3):
    pass


class Thing:
    size = 1


def count():
    global COUNT
    COUNT = COUNT + 1


# first line
# s2s: wrt=w emit=vjp
#
# s2s: w (d,), X (n, d), p["b"] (h,), lam ()
@np.vectorize
def loss(w, X, p, lam):
    return helper(w @ X) + lam * p["b"] + erf(lam) + G


def helper(x, k=lambda v: v):  # s2s: wrt=x
    from numpy import exp as e
    return np.sum(e(x)) * other(x)


def _private(x): return x  # s2s: constant is for statements


def other(x, helper=None):
    return helper or x


def twice(x):
    return x


twice = np.vectorize(twice)
'''


def test_module_names() -> None:
    m = read_module(MODULE, "pkg/model.py")
    assert m.imports["np"] == "numpy" and m.imports["la"] == "numpy.linalg" and m.imports["numpy"] == "numpy"
    assert m.imports["sin"] == "numpy.sin" and m.imports["cosine"] == "numpy.cos" and m.imports["sqrt"] == "math.sqrt"
    assert m.imports["thing"] == ".near.thing" and m.imports["osp"] == "os.path" and m.imports["json"] == "json"
    assert m.imports["erf"] == "scipy.special.erf" and m.imports["e"] == "math.e" and "annotations" not in m.imports
    assert m.import_lines["np"] == "import numpy as np" and m.import_lines["numpy"] == "import numpy.linalg"
    assert m.import_lines["cosine"] == "from numpy import cos as cosine"
    assert m.import_lines["sqrt"] == "from math import sqrt"
    assert (
        m.import_lines["erf"].startswith("try:\n    from scipy.special import erf")
        and "HAVE = False" in m.import_lines["erf"]
    )
    constants = {"G": "9.81", "TWO": "2", "HALF": "1 / TWO", "ROOT": "math.sqrt(2.0) * np.pi", "TAU": "2 * pi"}
    constants |= {"NAMES": '("a", \'b\', "c")', "TABLE": '{"x": [1, -2.5], "y": None}', "INFINITE": 'float("inf")'}
    assert m.constants == constants
    assert m.other_names >= {"WEIGHTS", "COUNT", "GROWN", "SET", "TWICE", "a", "b", "i", "Thing", "twice", "HAVE"}
    assert not m.other_names & {"np", "loss", "helper", *constants}
    assert list(m.functions) == ["count", "loss", "helper", "_private", "other", "twice"]
    assert m.called("loss") == {"helper"} and m.called("helper") == {"other"} and m.called("other") == set()


def test_function_info() -> None:
    m = read_module(MODULE, "pkg/model.py")
    loss, helper = m.functions["loss"], m.functions["helper"]
    assert loss.pragma is not None and loss.pragma.wrt == ("w",) and loss.pragma.emit == ("vjp",)
    assert loss.pragma.shapes == {"w": ("d",), "X": ("n", "d"), 'p["b"]': ("h",), "lam": ()}
    assert loss.comments == ("# first line", "#") and loss.decorated and loss.is_public
    assert loss.text.startswith("# first line\n# s2s: wrt=w emit=vjp\n#\n") and loss.text.endswith("+ G")
    assert m.source.between(loss.span).startswith("def loss(")
    assert helper.pragma is not None and helper.pragma.wrt == ("x",) and not helper.decorated
    assert m.functions["_private"].pragma is None and not m.functions["_private"].is_public


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("import numpy as np", "numpy.sum"),
        ("import numpy", ""),
        ("from numpy import *", "numpy.sum"),
        ("from math import *\nfrom numpy import *", "numpy.sum"),
        ("def sum(x):\n    return x + 1", "local.sum"),
        ("from numpy import sum\ndef sum(x):\n    return x + 1", "local.sum"),
        ("def sum(x):\n    return x\nfrom numpy import sum", "numpy.sum"),
        ("sum = max", "builtins.max"),
        ("from x import sum\nsum = max", "builtins.max"),
        ("from x import *", "builtins.sum"),
        ("try:\n    from a import sum\nexcept ImportError:\n    from b import sum", "a.sum"),
        ("try:\n    from a import sum\nexcept ImportError:\n    def sum(x): return x", "a.sum"),
        ("if 1:\n    from a import sum\nelse:\n    from b import sum", "module.sum"),  # which it is, the run decides
        ("GPU = False\nif GPU:\n    import cupy as np\nelse:\n    import numpy as np", "numpy.sum"),
        ("", "builtins.sum"),
    ],
)
def test_what_a_call_means(text: str, canonical: str) -> None:
    call = (
        "np.sum(x)" if text.endswith("import numpy as np") else "numpy.sum(x)" if text == "import numpy" else "sum(x)"
    )
    function = read_module(f"{text}\n\n\ndef f(x):\n    return {call}\n").function("f")
    match function.body:
        case (ir.Return(value=ir.Op(fn=fn)),):
            assert fn == (canonical or "numpy.sum")
        case _:
            raise AssertionError(function.body)


def test_an_import_belongs_to_its_function() -> None:
    text = "def g(x):\n    from numpy import sum\n    return sum(x)\n\n\ndef f(x):\n    return sum(x)\n"
    m = read_module(text)
    assert "numpy.sum" in repr(m.function("g")) and "builtins.sum" in repr(m.function("f"))


# ---------------------------------------------------------------- origins and comments


def origins(block: ir.Block) -> list[ir.Origin]:
    found: list[ir.Origin] = []
    for s in ir.statements(block):
        if s.origin is not None and s.origin not in found:
            found.append(s.origin)
    return found


def test_origins_and_comments() -> None:
    text = '''
# above f
# s2s: emit=grad
def f(x, y):  # s2s: wrt=x
    """Doc

    string."""
    # first

    # second
    a = (x +  # inside
         y,
         )[0]  # beside
    # of the loop
    for i in range(
        3,
    ):  # header
        # in the loop
        b = a * np.exp( x )   *  2; c = b  # both
        # s2s: note
        d = [v * 2 for v in x]  # s2s: constant
    # above if
    if (x >
            0): # test
        e = """two
lines \u202e"""
    # above elif
    elif x < 0:
        e = x  # why  # s2s: constant
    # above else
    else:  # else
        e = -x
    return b + c * d[0] + e
'''
    m = read_module("import numpy as np\n" + text)
    f = m.function("f")
    assert f.comments == ("# above f",) and f.docstring == "Doc\n\n    string." and f.origin is not None
    assert f.origin.text == "def f(x, y):"
    found = {o.text: o for o in origins(f.body)}
    assert list(found) == [
        "a = (x + y,)[0]",
        "for i in range(3):",
        "b = a * np.exp( x ) * 2",
        "c = b",
        "d = [v * 2 for v in x]",
        "if (x > 0):",
        'e = """two\\nlines \\u202e"""',
        "elif x < 0:",
        "e = x",
        "e = -x",
        "return b + c * d[0] + e",
    ]
    assert found["a = (x + y,)[0]"].above == ("# first", "", "# second")
    assert found["a = (x + y,)[0]"].beside == "# beside"
    assert found["for i in range(3):"].above == ("# of the loop",) and found["for i in range(3):"].beside == "# header"
    assert found["b = a * np.exp( x ) * 2"].above == ("# in the loop",) and found["c = b"].beside == "# both"
    assert found["d = [v * 2 for v in x]"].above == () and found["d = [v * 2 for v in x]"].beside == ""
    assert found["elif x < 0:"].above == ("# above elif",) and found["e = x"].beside == "# why"
    assert found["e = -x"].above == ("# above else", "# else")
    assert found["c = b"].span == Span(20, 36, 20, 41)
    constant = {s.origin.text for s in ir.statements(f.body) if isinstance(s, ir.Assign) and s.constant and s.origin}
    assert constant == {"d = [v * 2 for v in x]", "e = x"}
    pieces = [s for s in ir.statements(f.body) if s.origin is found["b = a * np.exp( x ) * 2"]]
    assert len(pieces) == 3


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x = 1", "x = 1"),
        ("x   =  (1,\n  2,\n)", "x = (1, 2)"),
        ("f(\n    a,\n    b,\n)", "f(a, b)"),
        ("(\n    a,\n)", "(a,)"),
        ("x = a + \\\n    b", "x = a + b"),
        ("x = (a\n  .sum()  # c\n  .T)", "x = (a.sum().T)"),
        ("x[\n 1,\n :2,\n]", "x[1, :2]"),
        ("s = 'a # b'", "s = 'a # b'"),
        ("s = '''a\nb'''", "s = '''a\\nb'''"),
        ("s = '\u2028\x85\x0c'", "s = '\\u2028\\x85\\x0c'"),
        ("{\n  'a': 1,\n}", "{'a': 1}"),
    ],
)
def test_one_line(text: str, line: str) -> None:
    assert one_line(text) == line and "\n" not in one_line(text)


# ---------------------------------------------------------------- pragmas and annotations


def test_shapes() -> None:
    assert parse_shapes("w (d,), X(n,d), p['b'] (3,), lam ()") == {
        "w": ("d",),
        "X": ("n", "d"),
        'p["b"]': ("3",),
        "lam": (),
    }
    assert parse_shapes('p["a"]["b"] (n)') == {'p["a"]["b"]': ("n",)} and parse_shapes("  ") == {}


@pytest.mark.parametrize(
    "text", ["w", "w (d", "w [d]", "w (d**2,)", "w (-1,)", "wrt=w", "(d,)", "w (*b,)", "w (...)", "=", "w: (d,)"]
)
def test_bad_shapes(text: str) -> None:
    with pytest.raises(S2SError) as caught:
        parse_shapes(text)
    assert [d.code for d in caught.value.diagnostics] == ["S410"]


@pytest.mark.parametrize(
    ("comment", "code"),
    [
        ("wrt=z", "S411"),
        ("z (n,)", "S411"),
        ('z["a"] (n,)', "S411"),
        ("nonsense", "S410"),
        ("with=x", "S410"),
        ("x (n", "S410"),
    ],
)
def test_bad_pragma(comment: str, code: str) -> None:
    with pytest.raises(S2SError) as caught:
        read_module(f"# s2s: {comment}\ndef f(x):\n    return x\n\n\ndef g(x):  # s2s: {comment}\n    return x\n")
    assert [d.code for d in caught.value.diagnostics] == [code, code]
    assert [d.span.line for d in caught.value.diagnostics if d.span] == [1, 6]


ANNOTATED = """
# s2s: k (n,), q ()
def f(a: float, b: int, c: bool, d: str, e: np.ndarray, g: "NDArray[np.float64]", h: float | None, i: Optional[float],
      j: Float[Array, "n m"], k: Float64[np.ndarray, "*batch n"], l: Int[Array, "n"], m: Float[Array, "..."],
      n: Float[Array, ""], o: "Float[Array, '3']", p: list[float], q, r: np.float32, s: float | np.ndarray,
      t: dict[str, np.ndarray], u: "not an annotation (", v: Any, w: Annotated[float, 1], x: NDArray[np.int64]):
    return a
"""


def test_stated() -> None:
    m = read_module("import numpy as np\nfrom typing import *\nfrom jaxtyping import *\n" + ANNOTATED)
    result = stated(m.function("f"), m.functions["f"].pragma)
    scalars = dict.fromkeys("ahinqrw", ())
    assert result.shapes == scalars | {"j": ("n", "m"), "k": ("n",), "l": ("n",), "o": ("3",)}
    kinds = {"a": "float", "b": "int", "c": "bool", "d": "str", "e": "array", "g": "array", "h": "float", "i": "float"}
    kinds |= {
        "j": "array",
        "k": "array",
        "l": "int",
        "m": "array",
        "n": "array",
        "o": "array",
        "p": "list(float)",
        "r": "float",
    }
    kinds |= {"s": "array", "t": "dict", "w": "float", "x": "ints"}
    assert result.kinds == kinds


def test_names_are_free() -> None:
    """Temporaries avoid every name that the function reads, and names whose adjoint would meet one."""
    text = "t2 = 1.0\n\n\ndef t4_bar(x):\n    return x * 2\n\n\ndef g(t5):\n    return t5\n\n\n"
    text += "def f(x, t1, t3_dot):\n    return (x + 1) * (x + 2) * (x + t2) * t4_bar(t1)\n"
    function = agree(text, (2.0, 3.0, 4.0))
    made = {name for s in function.body for name in ir.binds(s)}
    assert made == {"t5", "t6", "t7", "t8", "t9", "t10"}


# ---------------------------------------------------------------- manual pages

PAGES = Path(__file__).parent.parent / "s2s" / "pages"


def test_pages_are_there() -> None:
    codes = {f.code for f in FAMILIES.values()} | {f"S10{n}" for n in range(1, 10)}
    for code in codes:
        text = (PAGES / f"{code}.md").read_text("utf-8")
        assert text.startswith(f"# {code}: ") and "## Example" in text and "## What to do" in text


@pytest.mark.parametrize("code", sorted({f.code for f in FAMILIES.values()} | {"S101", "S102", "S106"}))
def test_the_example_of_a_page_gives_its_code(code: str) -> None:
    text = (PAGES / f"{code}.md").read_text("utf-8")
    example = textwrap.dedent(text.partition("## Example\n\n")[2].partition("\n## What to do")[0])
    with pytest.raises(S2SError) as caught:
        read_module(example.encode()).function("f")
        differentiate(example, Request(functions=("f",), emit=("vjp",)))  # what is known when it is derived
    assert code in [d.code for d in caught.value.diagnostics]


RANKS = """
import numpy as np
from numpy.typing import NDArray

Vector = np.ndarray[tuple[int], np.dtype[np.float64]]
Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]
Any_ = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Index = np.ndarray[tuple[int], np.dtype[np.intc]]
Points = NDArray[np.int64]
Number = float
Row = Vector
Loop = "Loop"


def f(a: Vector, b: Matrix, c: Any_, d: Index, e: Points, g: Number, h: Row, i: "Vector", j: Vector | None, k: Loop,
      l: np.ndarray[tuple[int, int], np.dtype[np.float64]]):
    return a
"""


def test_types_that_have_names() -> None:
    """An annotation means what the type's own text says: how many axes, and of which numbers."""
    m = read_module(RANKS)
    result = stated(m.function("f"), m.functions["f"].pragma)
    one, two = ("_",), ("_", "_")
    assert result.shapes == {"a": one, "b": two, "d": one, "g": (), "h": one, "i": one, "l": two}
    arrays = dict.fromkeys("abchijl", "array")
    assert result.kinds == arrays | {"d": "int", "e": "ints", "g": "float"}
