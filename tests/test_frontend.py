"""The frontend: what it reads runs as the user's function does; what it refuses has a code and a place.

The oracle is execution: the IR in A-normal form prints as Python, and that Python computes the same values as the
original, for every construct and every pattern of exits.
"""

from __future__ import annotations

import copy
import random
import textwrap
from typing import Any

import numpy as np
import pytest

from s2s import ir
from s2s.frontend import read_module
from s2s.frontend.exits import Continue, Leave

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
        for inner in ir.blocks(s):
            check_form(inner)
    for i, s in enumerate(block):
        if isinstance(s, ir.If) and i < len(block) - 1:
            assert not any(isinstance(x, ir.Break | ir.Return) for x in own_exits(s)), "an exit with a rest beside it"


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


X = np.array([0.5, -1.25, 2.0, 3.5])
A = np.arange(12.0).reshape(3, 4) / 7.0

# source, then the arguments of some runs
PROGRAMS: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "straight line": ("def f(x, y):\n    return -x * y + x**2 / (1.0 + y) - 3 * (x - -y)", [(2.0, 3.0), (X, 2.0)]),
    "power and sign": ("def f(x):\n    return -(x**2) + (-2.0)**2 - 2.0**-x + (-x)**2 + x**-1", [(1.5,)]),
    "operators": (
        "def f(a, b):\n    return (a // b, a % b, a << 2, a >> 1, a & b, a | b, a ^ b, ~a, +a, not a, a @ np.eye(1) if b < 0 else 0)",
        [(13, 5), (7, 2)],
    ),
    "matmul": ("def f(x):\n    return (x.T @ x).sum(axis=0) @ x.T", [(A,)]),
    "methods": (
        """
        def f(x):
            a = x.sum() + x.mean(0).max() + x.dot(x.T).trace() + x.reshape(2, 6)[1].prod()
            b = x.reshape(-1).cumsum()[3] + x.transpose(1, 0)[2, 1] + x.T.flatten()[5] + x.ravel().std(ddof=1)
            c = x.copy().astype(np.float64).clip(0.5, 1.0).min() + x.shape[0] * x.ndim + len(x) + x.size
            return a * b + c + x.swapaxes(0, 1).squeeze().take([0, 1]).sum() + x[0].item(2) + x.reshape((4, 3)).var()
        """,
        [(A,)],
    ),
    "constants": (
        "G = 9.81\nTWO = 2.0\nHALF = 1 / TWO\n\ndef f(x):\n    return G * x * np.pi + math.pi * HALF - math.e + np.inf * 0.0 + sin(x)",
        [(2.0,)],
    ),
    "keys": (
        """
        def f(x, i):
            n = len(x)
            a = x[0] + x[-1] + x[i + 1] + x[n - 1] + x[1:3].sum() + x[::-1][0] + x[:, None][1, 0] + x[..., np.newaxis][2, 0]
            b = x[[0, 0, 2]].sum() + x[x > 0].sum() + x[np.argmax(x)] + x[i:][0] + x[(1,)] + x[np.array([True, False, True, False])][1]
            return a + b
        """,
        [(X, 1)],
    ),
    "swap": ("def f(a, b):\n    a, b = b, a\n    return a - 2 * b", [(1.0, 5.0)]),
    "rotate": ("def f(a, b, c):\n    a, b, c = b + c, a, a * b\n    return (a, b, c)", [(1.0, 5.0, 7.0)]),
    "fibonacci": (
        "def f(a, n):\n    b = 1.0\n    for _ in range(n):\n        a, b = b, a + b\n    return a, b",
        [(0.5, 7), (0.5, 0)],
    ),
    "nested swap": ("def f(a, b, c):\n    (a, (b, c)) = (c, (a, b))\n    return [a, b, c]", [(1, 2, 3)]),
    "starred literal": (
        "def f(a, b, c):\n    first, *rest, last = a, b, c, a + b\n    return first, rest, last",
        [(1, 2, 3)],
    ),
    "starred value": ("def f(x):\n    a, *b = x\n    *c, d = x\n    return a, b, c, d", [([1.0, 2.0, 3.0],)]),
    "unpack nested": ("def f(p):\n    (a, b), c = p\n    return a + 2 * b + 3 * c", [(((1, 2), 3),)]),
    "unpack shape": ("def f(x):\n    n, d = x.shape\n    return n + 10 * d", [(A,)]),
    "unpack helper": (
        "def g(x, y=2.0):\n    return x + y, x * y\n\ndef f(x):\n    a, b = g(x, y=x * 3)\n    c, d = g(x)\n    return a * b + c * d",
        [(1.5,)],
    ),
    "unpack slogdet": (
        "def f(x):\n    sign, ld = np.linalg.slogdet(x @ x.T + np.eye(3))\n    return sign * ld",
        [(A,)],
    ),
    "chained": (
        "def f(x):\n    a = b = x + 1\n    c = d = 2.0\n    (u, v) = w = x, a\n    return a, b, c, d, u, v, w",
        [(3.0,)],
    ),
    "chained self": ("def f(x):\n    y = x = x * 2\n    x = y = x + y\n    return x, y", [(3.0,)]),
    "annotated": (
        "def f(x: float, n: int = 3) -> float:\n    y: float = x * n\n    z: float\n    z = y\n    return z",
        [(3.0,), (1.0, 2)],
    ),
    "augmented": (
        "def f(x, n):\n    s = 0.0\n    for i in range(n):\n        s += x * i\n        s -= 1\n        s *= 1.5\n        s /= 2\n    s **= 2\n    return s",
        [(3.0, 4)],
    ),
    "if else": (
        "def f(x):\n    if x > 1:\n        y = x * 2\n    elif x > 0:\n        y = x * 3\n    else:\n        y = -x\n    return y + 1",
        [(2.0,), (0.5,), (-3.0,)],
    ),
    "compare chain": (
        "def f(x):\n    if 0 < x <= 1 != 3:\n        return 1\n    return (0 < x < 2) + (x == x)",
        [(0.5,), (1.5,), (5.0,)],
    ),
    "and or": (
        "def f(x, y):\n    a = x or y\n    b = x and y + 1\n    c = x and y or 7\n    d = x > 0 and y > 0 or not x\n    return a, b, c, d",
        [(0, 2), (1, 0), (1, 3), (0, 0)],
    ),
    "short circuit": ("def f(x, y):\n    return x and 1 / x > y and y or x * y", [(0, 2), (1, 0), (2, 3)]),
    "default": (
        "def f(x, y=None):\n    y = y or 2.0\n    if y is None:\n        y = x\n    return x * y",
        [(3.0,), (3.0, 0), (3.0, 5.0)],
    ),
    "is None": ("def f(x, y=None):\n    if y is None:\n        y = x * 2\n    return x * y", [(3.0,), (3.0, 5.0)]),
    "ifexp": (
        "def f(x, y):\n    a = x if x > y else y\n    b = x * 2 if x > y else y - 1 if y > 3 else 0.5\n    c = x + (x**2 if x > 0 else -x) * 3\n    return a, b, c",
        [(1.0, 2.0), (2.0, 1.0), (-1.0, 5.0)],
    ),
    "return ifexp": ("def f(x):\n    return x * 2 if x > 0 else x**2 if x < -1 else 0.0", [(1.0,), (-0.5,), (-3.0,)]),
    "ifexp reads target": (
        "def f(x, c):\n    x = x * 2 if c else x + [1, 2][int(x > 0)]\n    return x",
        [(1.0, 0), (1.0, 1)],
    ),
    "tuple ifexp": (
        "def f(x, y):\n    a, b = (x, y) if x < y else (y, x)\n    return a - 3 * b",
        [(1.0, 2.0), (2.0, 1.0)],
    ),
    "walrus": ("def f(x):\n    if (y := x * 2) > 3:\n        return y\n    return (z := y + 1) * z", [(1.0,), (2.0,)]),
    "walrus while": (
        "def f(x):\n    n = 0\n    while (x := x / 2) > 0.1:\n        n += 1\n        if n > 5:\n            break\n    return x, n",
        [(1.0,), (100.0,)],
    ),
    "walrus in or": (
        "def f(x):\n    if x > 3 or (y := x + 1) > 2:\n        y = 5.0\n    return y",
        [(1.5,), (5.0,), (0.5,)],
    ),
    "walrus comprehension": ("def f(x):\n    return [y * 2 for v in x if (y := v**2) > 1.0]", [(X,)]),
    "while": (
        "def f(x):\n    n = 0\n    while x > 1.0 and n < 20:\n        x = x / 2\n        n += 1\n    return x, n",
        [(100.0,), (0.5,)],
    ),
    "while true": (
        "def f(x):\n    while True:\n        x = x / 2\n        if x < 1:\n            break\n    return x",
        [(100.0,)],
    ),
    "while true return": (
        "def f(x):\n    while True:\n        x = x / 2\n        if x < 1:\n            return x\n        if x > 40:\n            return -x",
        [(100.0,), (30.0,)],
    ),
    "for array": ("def f(x):\n    s = 0\n    for v in x:\n        s = s + v**2\n    return s, v", [(X,)]),
    "for zip": (
        "def f(x, y):\n    s = 0\n    for i, (a, b) in enumerate(zip(x, y[1:])):\n        s += i * a * b\n    for k, v in enumerate(x, 1):\n        s += k * v\n    return s",
        [(X, X)],
    ),
    "for reversed": (
        "def f(x):\n    s = 0\n    for v in reversed(x):\n        s = s * 2 + v\n    for i in reversed(range(3)):\n        s = s * 3 + i\n    return s",
        [(X,)],
    ),
    "for literal": (
        "def f(x):\n    s = 0\n    for c in (1.0, 2.5, x):\n        s = s + c * x\n    for w in [x, x + 1]:\n        s *= w\n    return s",
        [(2.0,)],
    ),
    "for expression": (
        "def f(x):\n    s = 0\n    for v in x[1:] * 2:\n        s = s + v\n    for r in np.arange(3):\n        s += r\n    return s",
        [(X,)],
    ),
    "for range forms": (
        "def f(x, n):\n    s = 0\n    for i in range(1, 2 * n, 2):\n        s += i * x\n    for j in range(n, 0, -1):\n        s = s * 2 + j\n    for k in range(len([1, 2])):\n        s += k\n    return s",
        [(2.0, 4), (1.0, 0)],
    ),
    "bound rebound": (
        "def f(n):\n    s = 0\n    for i in range(n):\n        n = n - 1\n        s += n * i\n    return s, n",
        [(5,)],
    ),
    "loop over itself": ("def f(x):\n    for x in x:\n        y = x\n    return x, y", [(X,)]),
    "loop variable as bound": (
        "def f(i):\n    s = 0\n    for i in range(i):\n        s += i\n    for j in range(i, 10):\n        i = j\n    return s, i",
        [(5,)],
    ),
    "loop over growing length": (
        "def f(n):\n    L = [1.0]\n    for i in range(len(L) + n):\n        L.append(L[i] * 2)\n    return L",
        [(4,)],
    ),
    "history": (
        "def f(x, n):\n    h = [x]\n    for i in range(n):\n        h.append(h[-1] * 0.5 + i)\n    return np.array(h)",
        [(2.0, 4), (2.0, 0)],
    ),
    "list plus": (
        "def f(x):\n    L = [x]\n    L += [x * 2, x + 1]\n    L = L + [x * 3]\n    M = [x] * 3 + L\n    Z = [0.0] * len(M)\n    W = (1, 2) * 2\n    return L, M, Z, W",
        [(2.0,)],
    ),
    "comprehension": ("def f(x):\n    return sum([v * 2 for v in x if v > 0]) + [v**2 for v in x][1]", [(X,)]),
    "comprehension names": (
        "def f(x, i):\n    a = [i * v for i, v in enumerate(x)]\n    i = i + 1\n    b = [i + j for j in range(3)]\n    return a, b, i",
        [(X, 10)],
    ),
    "comprehension self": (
        "def f(x):\n    x = [v * 2 for v in x]\n    x = [x[i] - x[0] for i in range(len(x))]\n    return x",
        [(X,)],
    ),
    "comprehension nested": (
        "def f(x, n):\n    return [[v * i for v in x] for i in range(n)], [a * b for a in x for b in x if a < b]",
        [(X, 3)],
    ),
    "comprehension shadow": ("def f(n):\n    return [[i for i in range(i)] for i in range(n)]", [(4,)]),
    "comprehension in loop": (
        "def f(x, n):\n    s = 0.0\n    for i in range(n):\n        w = [v * i for v in x]\n        s = s + sum(w) * sum(v for v in w if v > 1)\n    return s",
        [(X, 3)],
    ),
    "comprehension constants": (
        "def f(n):\n    z = [0.0 for _ in range(n)]\n    q = [i * i for i in range(n) if i % 2]\n    return z, q, {i: i + 1 for i in range(2)}",
        [(4,)],
    ),
    "generator sums": (
        "def f(x, y):\n    s = sum(a * b for a, b in zip(x, y))\n    return s + sum((v for v in x), 10.0) + sum(1 for v in x if v > 0) + sum([x[0], y[1], 3.0])",
        [(X, X)],
    ),
    "generator sum self": ("def f(x, s):\n    s = sum(s * v for v in x)\n    return s", [(X, 2.0)]),
    "any all": (
        "def f(x):\n    if any(v > 3 for v in x) and all(v < 9 for v in x):\n        return max(v * 2 for v in x)\n    ok = all(v == v for v in x)\n    return min([abs(v) for v in x]), ok",
        [(X,), (X * 0.1,)],
    ),
    "list of generator": (
        "def f(x):\n    a = list(v + 1 for v in x)\n    b = tuple(v * 2 for v in a)\n    return a, b, sorted(a), list(zip(a, b)), np.array([v for v in x]).sum()",
        [(X,)],
    ),
    "dict parameter": (
        'def f(p, x):\n    h = np.tanh(x @ p["W"] + p[\'b\'])\n    n = len(p)\n    return h.sum() * n if "b" in p else h',
        [({"W": A.T, "b": np.ones(3)}, X)],
    ),
    "dict nested": ('def f(p):\n    return p["a"]["w"] * p["b"]', [({"a": {"w": 2.0}, "b": 3.0},)]),
    "dict whole": (
        'def g(p, x):\n    return p["w"] * x\n\ndef f(p, x):\n    return g(p, x) + p["w"]',
        [({"w": 2.0}, 3.0)],
    ),
    "local dict": (
        'def f(x):\n    d = {"a": x * 2, "b": 1.0}\n    d["a"] += d["b"]\n    d["c"] = d["a"] * x\n    return d["a"] + d["c"]',
        [(3.0,)],
    ),
    "returned dict": ('def f(x):\n    out = {"a": x * 2, "b": [x, x + 1]}\n    return out', [(3.0,)]),
    "returned structures": ('def f(x):\n    return {"loss": x * 2, "parts": (x, [x**2, 1])}, (x + 1,), []', [(3.0,)]),
    "helper in test": (
        "def g(x):\n    return x > 2\n\ndef f(x):\n    while not g(x):\n        x = x + 1\n    if g(x) and x < 5:\n        x = -x\n    return x",
        [(0.0,), (9.0,)],
    ),
    "assert raise print": (
        """
        def f(x, n=2):
            assert n > 0, f"n is {n}"
            if x < 0:
                raise ValueError(f"negative: {x!r:>{n}}") from None
            print("x is", x, f"{x:.3f}", end="")
            return x * n
        """,
        [(2.0,), (2.0, 0), (-1.0,)],
    ),
    "texts": (
        "def f(x, mode='a'):\n    s = 'x' 'y' + mode\n    if mode == \"a\":\n        return x\n    elif mode in ('b', 'c'):\n        return '%s %d' % (mode, 3) + s + \"{}\".format(x) + ','.join(str(i) for i in range(3))\n    return x * 2",
        [(1.0,), (1.0, "b"), (1.0, "z")],
    ),
    "docstring and pass": (
        'def f(x):\n    """Doc.\n\n    More.\n    """\n    if x > 0:\n        pass\n    else:\n        x = -x\n    ...\n    "a text"\n    return x',
        [(1.0,), (-2.0,)],
    ),
    "parameters": ("def f(a, /, b, *, c=2.0, d: float = 3.0):\n    return a + 2 * b + 3 * c + 4 * d", [(1.0, 2.0)]),
    "positional only": ("def f(a, b=4.0, /):\n    return a + b", [(1.0,)]),
    "no return": ("def f(x):\n    y = x", [(1.0,)]),
    "bare return": ("def f(x):\n    if x > 0:\n        return\n    return x", [(1.0,), (-1.0,)]),
    "import inside": (
        "def f(x):\n    import numpy.linalg as la\n    from math import cos as c\n    return la.norm(x) + c(x[0])",
        [(X,)],
    ),
    "newaxis name": (
        "from numpy import newaxis, sum as total\n\ndef f(x):\n    return total(x[newaxis, :] * x[:, newaxis])",
        [(X,)],
    ),
    "isinstance": (
        "def f(x):\n    if isinstance(x, (int, float)):\n        x = np.array([x, 1.0])\n    if isinstance(x, list):\n        x = np.array(x)\n    return x.sum()",
        [(2.0,), ([1.0, 2.0],), (X,)],
    ),
    "elif chain": (
        "def f(x):\n"
        + "".join(f"    {'if' if i == 0 else 'elif'} x == {i}:\n        y = x * {i}\n" for i in range(60))
        + "    else:\n        y = -x\n    return y",
        [(0,), (17,), (99,)],
    ),
    "multi-line": (
        "def f(x,\n      y):\n    z = (x +  # first\n         y,\n         )\n    return (\n        z[0]\n        * 2\n    )",
        [(1.0, 2.0)],
    ),
    "semicolons": ("def f(x): y = x * 2; z = y + 1; return z", [(1.0,)]),
    "one-line branches": (
        "def f(x):\n    if x > 0: y = x; z = 2\n    else: y = -x; z = 3\n    return y * z",
        [(1.0,), (-1.0,)],
    ),
    "lambda as a key": (
        "def f(x):\n    if sorted([1, 2], key=lambda v: -v)[0] == 2:\n        return x\n    return -x",
        [(1.0,)],
    ),
    "finfo": ("def f(x):\n    return x + np.finfo(float).eps * 1e10 + np.finfo(np.float64).max * 0", [(1.0,)]),
    "empty branches": (
        "def f(x):\n    for i in range(3):\n        if x > 1:\n            continue\n        else:\n            x = x + 1\n    return x",
        [(0.0,), (5.0,)],
    ),
    "complex constants": ("def f(x):\n    return (x * 1j).imag + (x + 0j).real - -3.5 + 0x10 + 1_000", [(2.0,)]),
    "ellipsis key": ("def f(x):\n    return x[..., 0] + x[:, -1]", [(A,)]),
    "index of call": ("def f(x):\n    return np.where(x > 0)[0][0] + np.sort(x)[1] + (x, 2 * x)[1][0]", [(X,)]),
    "where": (
        "def f(x):\n    m = (x > 0) & (x < 3) | ~(x != 2)\n    return np.where(m, x, -x).sum() + np.where((x > 1), 1.0, x * 2)[0]",
        [(X,)],
    ),
    "stack": (
        "def f(x, y):\n    return np.stack([x, y * 2]).sum(axis=0) + np.concatenate((x[:2], y[2:])) + np.array([[x[0] * 2, 1.0], [y[1], 2.0]]).sum()",
        [(X, X)],
    ),
    "starred display": ("def f(x, y):\n    return [*x, y], (*x, *x)", [([1, 2], 3)]),
    "augmented walrus": ("def f(x):\n    s = 1.0\n    s += (t := x * 2)\n    return s * t", [(2.0,)]),
    "del free names": (
        "t1 = 3.0\nt3_bar = 4.0\n\ndef f(x, t2):\n    return (x * 2 + t1) * (t2 - 1) * t3_bar",
        [(2.0, 5.0)],
    ),
}

EXITS = {
    "break": "for i in range(n):\n    s += i\n    if s > 5:\n        break\n    s += 1",
    "break else": "for i in range(n):\n    if s > 5:\n        s = -s\n        break\n    else:\n        s += 2\n    s += 1",
    "continue": "for i in range(n):\n    if i % 2:\n        continue\n    s += i",
    "continue twice": "for i in range(n):\n    if i == 1:\n        continue\n    s += i\n    if i == 2:\n        s *= 2\n        continue\n    s += 1",
    "continue in else": "for i in range(n):\n    if i == 1:\n        s += 3\n    else:\n        s += 1\n        continue\n    s *= 2",
    "continue nested": "for i in range(n):\n    if i > 0:\n        if i > 1:\n            continue\n        s += 1\n    s += 10",
    "break nested": "for i in range(n):\n    if i > 0:\n        if i > 2:\n            break\n        s += 1\n    s += 10",
    "both nested": "for i in range(n):\n    if i > 0:\n        if i > 3:\n            break\n        elif i == 2:\n            continue\n        s += 1\n    s += 10",
    "return in loop": "for i in range(n):\n    s += i\n    if s > 4:\n        return s * 2\ns = s + 0.5",
    "returns in loop": "for i in range(n):\n    s += i\n    if s > 7:\n        return s * 2, i\n    if s == 1:\n        return i\ns = s + 0.5",
    "return in nested loops": "for i in range(n):\n    for j in range(i):\n        s += j\n        if s > 4:\n            return s * 2 + i + j\n    s += 1\ns = s + 0.5",
    "all exits in nested loops": (
        "for i in range(n):\n    for j in range(n):\n        if j == 1:\n            continue\n        if j > 3:\n            break\n        s += i * j\n"
        "        if s > 20:\n            return s, i, j\n    if i == 2:\n        continue\n    s += 1\n    if s > 15:\n        break\ns = s + 0.5"
    ),
    "three loops": (
        "for i in range(n):\n    for j in range(i):\n        k = 0\n        while k < j:\n            k += 1\n            s += 1\n            if s == 6:\n                return k * 100 + s\n"
        "            if k == 2:\n                break\n        if s > 9:\n            return -s\n    if i == 4:\n        return s * 1000"
    ),
    "two loops": "for i in range(n):\n    if i == 3:\n        return s\n    s += i\nfor j in range(n):\n    if s > 4:\n        return s + j * 0.5\n    s += 1",
    "early returns": "if n == 0:\n    return 0.0\nif n == 1:\n    s = s + 1\n    return s\nelif n == 2:\n    s = 7\nelse:\n    if n == 3:\n        return -3\n    s = n\ns = s * 2",
    "shared rest": "if n > 0:\n    if n > 2:\n        return s + n\n    s = s + 1\nelse:\n    s = s - 1\ns = s * 3",
    "shared rest twice": "if n > 0:\n    if n > 3:\n        return s + n\n    if n > 2:\n        s = s + 1\n    else:\n        if n == 1:\n            return -1\n    s += 4\ns = s * 3\nif n == 2:\n    return s\ns = s + 1",
    "return in a loop in a branch": "if n > 1:\n    for i in range(n):\n        s += i\n        if s > 4:\n            return s * 2\n    s = s + 1\nelse:\n    s = s - 1\ns = s * 3",
    "return in a loop in a branch of a loop": (
        "for k in range(n):\n    if k % 2:\n        for i in range(n):\n            s += i\n            if s > 14:\n                return s * 2, k\n        s = s + 1\n    else:\n        s = s - 1\n    s = s * 1.5"
    ),
    "raise": "if n == 0:\n    raise ValueError\nif n == 1:\n    s = 5\nelse:\n    if n == 4:\n        raise KeyError(n)\n    s = 6",
    "raise else": "if n == 0:\n    return s\nelif n == 1:\n    return -s\nelse:\n    raise ValueError",
    "raise in loop": "for i in range(n):\n    if i == 3:\n        raise ValueError\n    if i == 2 and s > 2:\n        return i\n    s += i",
    "while true": "while True:\n    s += 1\n    if s > n:\n        break\n    if s == 3:\n        return -s\n    if s == 2:\n        continue\n    s += 1",
    "while true in loop": "for i in range(n):\n    while True:\n        s += i + 1\n        if s > 8:\n            return s\n        if s % 2:\n            break\n    s += 1",
    "while only returns in loop": "for i in range(n):\n    while True:\n        s += i + 1\n        if s > 8:\n            return s",
    "dead code": "for i in range(n):\n    s += i\n    break\n    s += 100\nif s >= 0:\n    return s\n    s = 3\nelse:\n    return -s\ns = 9",
    "loop variable after break": "i = -1\nfor i in range(n):\n    if i == 2:\n        break\ns = i",
    "return comprehension in loop": "for i in range(n):\n    if i == 2:\n        return [i * k for k in range(i + s)]\n    s += 1",
    "return ifexp in loop": "for i in range(n):\n    if i == 2:\n        return s * 2 if s > 1 else s - 1\n    s += i",
    "break in while with else branch": "i = 0\nwhile i < n:\n    i += 1\n    if i == 2:\n        s += 2\n    elif i == 4:\n        s += 3\n        break\n    else:\n        continue\n    s *= 2",
    "flag names taken": "skip = 1\nstop = 2\nexit_at = 3\ndone = 4\nfor i in range(n):\n    if i > 0:\n        if i > 1:\n            continue\n        s += skip\n    s += 10\n    if s > 30:\n        return exit_at + stop + done",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    text, runs = PROGRAMS[name]
    agree(text, *runs)


@pytest.mark.parametrize("name", EXITS)
def test_exits(name: str) -> None:
    body = textwrap.indent(EXITS[name], "    ")
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
                    [f"s = s + {r.randint(1, 9)}", "s += c", f"s = s * {r.randint(2, 3)} % 97", "c += 1", "n = n - 1"]
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
            out.append(r.choice(["break", "continue", "return s, c", "return s * 2", "return", "raise ValueError"]))
        else:
            out.append(r.choice(["return s, c", "return s * 2 + c", "return s", "raise KeyError"]))
    return out


def indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


@pytest.mark.parametrize("seed", range(300))
def test_random_exits(seed: int) -> None:
    r = random.Random(seed)
    body = random_block(r, 4, False, [25])
    text = "\n".join(["def f(s, n):", "    c = 0", *indented(body)])
    if r.random() < 0.7:
        text += "\n    s = s * 2 + c\n    return s, c, n"
    agree(text + "\n", *[(s, n) for s in (0, 3, 8, 21) for n in (0, 1, 4)])
