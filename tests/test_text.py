"""How the text reads: what a person would write, line by line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2s.pipeline import Request, differentiate

HEAD = "import math\nimport numpy as np\n"
# name: (source, what is asked for, lines that stand in the text one after the other, words that stand nowhere)
CASES: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "the shares of several candidates": (
        "def f(x: float, y: float, z: float, k: float):\n    return k * max(x, y * y, z)\n",
        "vjp",
        "count = [x, y * y, z].count(largest)\na_bar = float(y * y == largest) * k / count * out_bar\n",
        ("float(x == largest) +",),
    ),
    "a sum of what is a number most often, in a loop": (
        "def f(xs, k: float):\n    s = 0.0\n    for x in xs:\n        s = s * x + k * x\n    return s\n",
        "vjp",
        "    k_bar += _total(x * s_bar)\n",
        ("np.sum(x *",),
    ),
    "items of which no rank is known, of a number that is stored": (
        "import numpy as np\n\n\ndef g(h, a):\n    return (1 + a * h) ** 2\n\n\n"
        "def f(h, a, dt: float, n: int):\n    c = g(h, a)\n    b = np.zeros(n)\n    for i in range(n):\n"
        "        b[i] = c[i] / dt - h[i]\n    return b\n",
        "vjp",
        "    c_bar[i] += _unbroadcast(b_bar[i] / dt, c[i])\n    dt_bar -= _total(c[i] / dt**2 * b_bar[i])\n",
        ("ones_like",),
    ),
    "a property that is computed once": (
        "import numpy as np\nfrom functools import cached_property\n\n\nclass Box:\n    def __init__(self, m):\n"
        "        self.m = m\n\n    @cached_property\n    def root(self):\n        return np.sqrt(self.m)\n\n\n"
        "def f(m):\n    box = Box(m)\n    a = np.sin(box.root)\n    return np.sum(a * box.root)\n",
        "vjp",
        "r = np.sqrt(m)\na = np.sin(r)\n",
        ("r1", "np.sqrt(m))"),
    ),
    "the places of the largest item": (
        "import numpy as np\n\n\ndef f(x, k):\n    return np.sum(k * max([v * v for v in x]))\n",
        "vjp",
        "at_max = (array == m).astype(m.dtype)\n",
        ("np.sum((array",),
    ),
    "a tangent that no path binds": (
        "def f(x: float, k: int):\n    if k > 0:\n        w = x * x\n    else:\n        w = w * x\n    return w\n",
        "jvp",
        "    w_dot = x * w_dot + w * x_dot\n",
        ("%",),
    ),
    "a copy of a list of the module": (
        "K = [1.5, 2.0]\n\n\ndef f(x):\n    k = list(K)\n    k[0] = x[0]\n    return k[0] * k[1] * x[1]\n",
        "vjp",
        "k = list(K)\nk[0] = x[0]\n",
        ("items",),
    ),
    "lists under names of the module": (
        "NAMES = ('a', 'b')\n\n\ndef f(x):\n    u = {'a': x[0], 'b': x[1]}\n    path = {s: [] for s in NAMES}\n"
        "    for i in range(3):\n        for s in NAMES:\n            path[s].append(u[s] * i)\n"
        "    return path['a'][-1] * path['b'][-1]\n",
        "jvp",
        "    path_b_dot.append(i * x_1_dot)\n    path_b.append(x_1 * i)",
        ("in NAMES", "_zeros_like"),
    ),
    "a row that an inner loop reads": (
        "def f(rows):\n    s = 0.0\n    for row in rows:\n        for v in row:\n            s = s + v**2\n"
        "    return s\n",
        "vjp",
        "    row = rows[t]\n    for i in reversed(range(len(row))):",
        ("row_saved",),
    ),
    "a field that is 1.0 in all objects": (
        "class B:\n    def __init__(self, m, v):\n        self.m = m\n        self.v = v\n\n\n"
        "def f(x):\n    bs = [B(1.0, v) for v in x]\n    for b in bs:\n        b.v = b.v * b.v / b.m\n"
        "    return sum(b.m * b.v for b in bs)\n",
        "vjp",
        "SimpleNamespace(m=0.0, v=np.zeros_like(v.v, dtype=np.result_type(v.v, 0.0)))",
        ("_bar[i].m", "_bar[j].m", "_bar.m"),
    ),
    "places of a list that are empty before": (
        "def f(x):\n    rows = [None] * 2\n    for i in range(2):\n        rows[i] = [x[i], x[i] * 2.0]\n"
        "    rows[0], rows[1] = rows[1], rows[0]\n    rows[0][0] = x[1]\n    return rows[1][0] * rows[0][0]\n",
        "vjp",
        "rows_bar = [None for _ in range(2)]\n",
        ("is None",),
    ),
    "buffers that change their places where a test says so": (
        "# s2s: u (n,)\ndef f(u, k: float, n: int):\n    a = u.copy()\n    b = u * k\n    for i in range(n):\n"
        "        if i % 3 == 0:\n            a, b = b, a\n        a[1:] *= b[:-1]\n    return np.sum(a * b)\n",
        "grad",
        "    if i % 3 == 0:\n        # adjoint of: a, b = b, a\n        a, b = b, a\n"
        "        a_bar, b_bar = b_bar, a_bar",
        ("append(a)", "append(b)", "append(a_bar)"),
    ),
    "buffers of an object, which a procedure is given and a method exchanges": (
        "def step(u, w, k):\n    w[1:] = k * u[:-1] ** 2\n\n\nclass Sim:\n    def __init__(self, u, k):\n"
        "        self.u = u.copy()\n        self.w = u.copy()\n        self.k = k\n\n    def advance(self):\n"
        "        step(self.u, self.w, self.k)\n        self.u, self.w = self.w, self.u\n\n\n"
        "# s2s: u (n,)\ndef f(u, k: float, n: int):\n    s = Sim(u, k)\n    for _ in range(n):\n        s.advance()\n"
        "    return np.sum(s.u)\n",
        "grad",
        "    s_w_saved.append(s_w[1:].copy())\n    s_w[1:] = k * s_u[:-1] ** 2\n    s_u, s_w = s_w, s_u\n",
        ("step_u", "append(s_u)"),
    ),
    "options over their defaults have the name of the dict that they make": (
        "DEFAULTS = {'k': 1.0, 'm': 2.0}\n\n\ndef f(x: float, **params):\n    p = {**DEFAULTS, **params}\n"
        "    return p['k'] * np.sin(x) / p['m']\n",
        "grad",
        'p_k = params["k"] if "k" in params else DEFAULTS["k"]\np_m = params["m"] if "m" in params else DEFAULTS["m"]',
        ("DEFAULTS_k",),
    ),
    "settings for parameters that have defaults": (
        "def spring(x, k=1.0, m=2.0):\n    return k * np.sin(x) / m\n\n\n"
        "def f(x: float, settings):\n    return spring(x, **settings)\n",
        "grad",
        'settings_k = settings["k"] if "k" in settings else 1.0',
        ("chosen", "not in settings"),
    ),
    "a function of this NumPy, and its older name": (
        "# s2s: y (n,)\ndef area(y):\n    if not hasattr(np, 'trapezoid'):\n        return np.trapz(y)\n"
        "    return np.trapezoid(y)\n\n\n# s2s: x (n,)\ndef f(x):\n"
        "    s = np.trapezoid(x) if hasattr(np, 'trapezoid') else np.trapz(x)\n    return s * area(x)\n",
        "jvp",
        "s_dot = np.trapezoid(x_dot)\ns = np.trapezoid(x)",
        ("trapz", "hasattr", "dx=1.0"),
    ),
    "three buffers in turn": (
        "# s2s: u (n,)\ndef f(u, k: float, n: int):\n    a = u.copy()\n    b = u * k\n    c = np.zeros_like(u)\n"
        "    for _ in range(n):\n        c[1:] = k * a[:-1] - b[1:]\n        a, b, c = c, a, b\n    return np.sum(a)\n",
        "grad",
        "    a, b, c = b, c, a\n    a_bar, b_bar, c_bar = b_bar, c_bar, a_bar\n",
        ("append(a)", "append(b)", "append(c)"),
    ),
    "an item of what a helper gives, which is called once": (
        "def h(x, n):\n    if n == 0:\n        return np.sin(x), x\n    return h(x * 0.5, n - 1)[1] * x, x\n\n"
        "def f(x):\n    return h(x, 3)[1]\n",
        "vjp",
        "u_bar = [\n    np.zeros_like(t[0], dtype=np.result_type(t[0], 0.0)),",
        ("zeros_like(h(",),
    ),
    "a display that is handed to a helper, whose reverse is called once": (
        "def h(x, k):\n    s = 0.0\n    for i in range(2):\n        s = s + x[i] ** k\n    return s\n\n"
        "def f(x, y):\n    return h([x * y, x], 2)\n",
        "vjp",
        "x_inc = _h_rev([x * y, x], 2, out_bar)\nx_bar = _unbroadcast(y * x_inc[0], x) + x_inc[1]",
        ("_h_rev([x * y, x], 2, out_bar)[",),
    ),
    "a number that an inner loop reads": (
        "def f(x, h: float, n: int):\n    s = 0.0\n    for i in range(n):\n        w = h * i\n"
        "        for j in range(len(x)):\n            s = s * w * x[j]\n    return s\n",
        "vjp",
        "    w = h * i\n    w_bar = 0.0\n    for j in reversed(range(len(x))):",
        ("w_saved",),
    ),
    "parts of a buffer that is restored as a whole": (
        "# s2s: u (n,)\ndef f(u, n: int):\n    q = np.empty(len(u))\n    for _ in range(n):\n        q[:] = 2.0 * u\n"
        "        q[1:] -= u[:-1]\n        u = np.sin(q)\n    return u\n",
        "vjp",
        "    q_saved.append(q[:].copy())\n    q[:] = 2.0 * u\n    q[1:] -= u[:-1]\n    u_saved.append(u)",
        ("q1_saved", "q[1:] = "),
    ),
    "a loop in a while loop that writes one place": (
        "# s2s: x (n,), w ()\ndef f(x, w):\n    s = np.zeros(len(x))\n    p = 0.0\n    k = 0\n    while k < len(x):\n"
        "        p = np.sin(p + s[k - 1] ** 2)\n        for j in range(k, k + 1):\n            s[j] += w * x[j] * p\n"
        "        k += 1\n    return p + np.sum(s)\n",
        "vjp",
        "    for j in range(k, k + 1):\n        s_saved.append(s[j])",
        ("s.copy()",),
    ),
    "bounds that are constants of the module": (
        "LOW = 1e-9\nINF = 1e400\n\n\n# s2s: x (n,)\ndef f(x):\n    return np.sum(np.maximum(x, LOW)) + "
        "np.sum(np.minimum(x, INF))\n",
        "vjp",
        "x_bar = np.heaviside(x - LOW, 0.5) * out_bar\n"
        "x_bar += np.heaviside(np.where(INF == x, 0.0, INF - x), 0.5) * out_bar",
        (),
    ),
    "a size that an object holds, which has no tangent": (
        "def f(model, u):\n    return np.eye(model.dim) @ model.x + u\n",
        "jvp",
        "assert np.shape(model_dot.x) == np.shape(model.x)\neye = np.eye(model.dim)",
        ("model_dot.dim",),
    ),
    "a series that is written once": (
        "# s2s: x (n,)\ndef f(x, c: float):\n    y = np.zeros(len(x))\n    s = 0.0\n    for t in range(len(x)):\n"
        "        s = c * s + x[t]\n        y[t] = np.sin(s)\n    return y\n",
        "vjp",
        "y_bar = out_bar\nx_bar = np.zeros(len(x), dtype=np.result_type(x, 0.0))\nc_bar = 0.0\ns_bar = 0.0\n"
        "for t in reversed(range(len(x))):\n    # adjoint of: y[t] = np.sin(s)\n    s_bar += np.cos(s) * y_bar[t]\n"
        "    # adjoint of: s = c * s + x[t]",
        ("y_bar[t] = 0.0",),
    ),
    "a recursion that is written once": (
        "# s2s: x (n,)\ndef f(x):\n    n = len(x)\n    y = np.zeros(n)\n    y[n - 1] = x[n - 1]\n"
        "    for i in range(n - 2, -1, -1):\n        y[i] = x[i] * y[i + 1]\n    return y[0] * 1.0\n",
        "vjp",
        "for i in range(n - 1):\n    # adjoint of: y[i] = x[i] * y[i + 1]\n    s_bar = y_bar[i]",
        ("reversed(range(n - 2",),
    ),
    "a triangle that is counted down": (
        "# s2s: A (n, n)\ndef f(A):\n    n = len(A)\n    s = 0.0\n    for j in range(n):\n"
        "        for i in range(n - 1, j, -1):\n            s = s * A[i, j] + 1.0\n    return s\n",
        "vjp",
        "for j in reversed(range(n)):\n    for i in range(j + 1, n):",
        (),
    ),
    "a range whose start may be the greatest integer of its type": (
        "def f(x, k):\n    s = 0.0\n    for i in range(k[0], -1, -1):\n        s = s * x[i] + 1.0\n    return s\n",
        "vjp",
        "for i in reversed(range(k[0], -1, -1)):",
        (),
    ),
    "a choice without a name": (
        "# s2s: A (n, n), x (n,)\ndef f(A, x, m: int):\n    y = x\n    for t in range(m):\n"
        "        y = np.sin(x) * (y if t == 0 else A.T @ y)\n    return y\n",
        "vjp",
        "    chosen_bar = sine_saved[t] * y_bar\n    if t == 0:\n        y_bar = chosen_bar\n    else:\n"
        "        A_bar += np.outer(y, chosen_bar)\n        y_bar = A @ chosen_bar\n"
        "    x_bar += np.cos(x) * sine_bar",
        (),
    ),
    "transposes of products": (
        "# s2s: X (n, d), Y (d, d)\ndef f(X, Y):\n    A = X.T @ X\n    return A.T @ Y - Y @ A\n",
        "vjp",
        "X_bar = X @ A_bar.T + X @ A_bar",
        (),
    ),
    "an interval of a table": (
        "# s2s: x (n,), y (n,), q (m,)\ndef f(y, x, q):\n    s = 0.0\n    for p in q:\n"
        "        k = np.searchsorted(x, p) - 1\n        s += y[k] * (p - x[k])\n    return s\n",
        "vjp",
        "    y_bar[k] += (q[t] - x[k]) * s_bar",
        ("_unbroadcast", "add.at"),
    ),
    "a filter in the frequency domain": (
        "# s2s: x (n,), y (n,)\ndef f(x, y, c: float):\n    g = 1.0 / (1.0 + c * np.fft.rfftfreq(len(x)))\n"
        "    u = np.fft.irfft(g * np.fft.rfft(x), n=len(x))\n    return np.sum((u - y) ** 2)\n",
        "vjp",
        "u_bar = 2.0 * (u - y) * out_bar\ny_bar = -u_bar",
        ("_unbroadcast",),
    ),
    "parameters that are unpacked": (
        "# s2s: p (m,), x ()\ndef f(p, x):\n    a, b, c = p\n    return a * x**2 + b * x + c\n",
        "vjp",
        "p_bar = np.array([a_bar, b_bar, c_bar])\nreturn value, (p_bar, x_bar)",
        ("np.zeros",),
    ),
    "parameters that are unpacked, of which one is not read": (
        "# s2s: p (m,), x ()\ndef f(p, x):\n    a, b, c = p\n    return a * x**2 + b * x\n",
        "vjp",
        "p_bar[0] += a_bar\np_bar[1] += b_bar",
        (),
    ),
    "a right-hand side of two equations": (
        "# s2s: y (2,)\ndef f(y, k: float):\n    return np.array([k * y[1], y[0] * y[1]])\n",
        "vjp",
        "y_bar = np.array([y[1] * out_bar[1], k * out_bar[0] + y[0] * out_bar[1]])",
        ("np.zeros",),
    ),
    "sines and cosines of an angle in two statements of a loop": (
        "# s2s: V (n,), a (n,)\ndef f(V, a):\n    p = 0.0\n    q = 0.0\n    for j in range(len(V)):\n"
        "        d = a[j] - a[0]\n        p += V[j] * np.cos(d)\n        q += V[j] * np.sin(d)\n    return p * q\n",
        "vjp",
        "    sine = np.sin(d)\n    V_bar[j] += sine * q_bar\n    cosine = np.cos(d)\n"
        "    d_bar = cosine * V[j] * q_bar\n    # adjoint of: p += V[j] * np.cos(d)\n"
        "    V_bar[j] += cosine * p_bar\n    d_bar -= sine * V[j] * p_bar",
        (),
    ),
    "a sine that one statement reads twice, in a loop": (
        "# s2s: n (m,)\ndef f(n, w: float):\n    M = np.eye(2)\n    for k in n:\n        d = w * k\n"
        "        M = M @ np.array([[np.cos(d), np.sin(d) / k], [k * np.sin(d), np.cos(d)]])\n    return np.sum(M)\n",
        "vjp",
        "",
        ("sine1", "cosine1"),
    ),
    "numbers that are written side by side": (
        "def f(k, c, n: int):\n    A = np.zeros((n, n))\n    A[0, :2] = [-k[0] * c, k[0]]\n"
        "    for i in range(1, n - 1):\n        A[i, i - 1 : i + 1] = k[i - 1] * c, k[i] * c\n    return A\n",
        "vjp",
        "    s_bar, s1_bar = A_bar[i, i - 1 : i + 1]\n"
        "    k_bar[i - 1] += c * s_bar\n    k_bar[i] += c * s1_bar\n    c_bar += k[i - 1] * s_bar + k[i] * s1_bar",
        ("_unbroadcast", "copy()", "A_bar[0, :2]["),
    ),
    "options that no call gives": (
        'def _h(x, kind="a", full=False, start=None):\n    if start is None:\n        start = 1.0\n'
        '    y = start * x if kind == "a" else x**3\n    if full:\n        return y, start\n    return y\n\n'
        "def f(x):\n    return np.sum(_h(x) ** 2)\n",
        "vjp",
        "default = _h_by_default(x)\nvalue = np.sum(default**2)",
        ("x_bar = 3.0", "full, "),
    ),
    "a set that a loop runs over": (
        "def f(x):\n    ends = {0, 3}\n    s = 0.0\n    for k in ends:\n        s = s + x[k] ** 2\n    return s\n",
        "vjp",
        "ends_items = list(ends)\nfor k in ends_items:\n    s = s + x[k] ** 2",
        ("ends[",),
    ),
    "the items of a dict in a list, under whose keys another dict is read": (
        "ROWS = [{'re': {'A': 1, 'B': 2}}, {'re': {'B': 1}}]\n\ndef f(a, b):\n    d = {'A': a, 'B': b}\n    s = 0.0\n"
        "    for row in ROWS:\n"
        "        for k, n in row['re'].items():\n            s = s + n * d[k]\n    return s\n",
        "vjp",
        '    pairs = list(row["re"].items())\n    for k, n in pairs:',
        ("u_bar",),
    ),
    "like terms": (
        "def f(x, y):\n    return x * x + y\n",
        "vjp",
        "x_bar = 2.0 * _unbroadcast(x * out_bar, x)",
        ("t8",),
    ),
    "a total of unknown rank": (
        "def f(a, w):\n    total = 0.0\n    for i in range(len(a)):\n        total += w * np.sin(a[i])\n"
        "    return total\n",
        "vjp",
        "    w_bar += _unbroadcast(sine_saved[i] * total_bar, w)\n"
        "    a_bar[i] += _unbroadcast(np.cos(a[i]) * w * total_bar, a[i])",
        ("total_saved", "_unbroadcast(total_bar"),
    ),
    "a tangent that has its shape by the result": (
        "def f(layers, x):\n    for W, b in layers:\n        x = np.tanh(W @ x + b)\n    return x\n",
        "jvp",
        "x_dot = (1.0 - x_new**2) * (W_dot @ x + W @ x_dot + b_dot)",
        ("ones_like",),
    ),
    "a cotangent that a loop needs in full": (
        "def f(layers, x):\n    for W, b in layers:\n        x = np.tanh(W @ x + b)\n    return np.sum(x)\n",
        "vjp",
        "x_bar = out_bar * np.ones_like(x)",
        ("x_bar = out_bar\n",),
    ),
    "the cotangent of what a function is applied to, by its result": (
        "def f(layers, x):\n    for W, b in layers:\n        x = np.tanh(W @ x + b)\n    return np.sum(x)\n",
        "vjp",
        "    a_bar = (1.0 - x**2) * x_bar\n    x = x_saved[t]",
        ("x_new",),
    ),
    "what a call, or a store, has written, and is restored before anybody reads it": (
        "def scan(a, c):\n    n = len(a)\n    if n == 1:\n        a[0] = a[0] * c\n        return a[0]\n"
        "    m = n // 2\n    first = scan(a[:m], c)\n    return scan(a[m:], c * first)\n\n\n"
        "def f(x, c):\n    y = x * x\n    last = scan(y, c)\n    return last + np.sum(y * x)\n",
        "vjp",
        "m = n // 2\na_saved = a[:m].copy()\nfirst = scan(a[:m], c)",
        ("a1_saved", "a[0] = a_saved"),
    ),
    "zeros of an array that is asked to be of floats": (
        "# s2s: x (n,)\ndef f(x):\n    y = np.zeros_like(x)\n    y[0] = x[0]\n    y[1] = x[2] * x[0]\n"
        "    return np.sum(y * y)\n",
        "grad",
        "x_bar = np.zeros_like(x)",
        ("result_type",),
    ),
    "a product that is stored, its shape not known": (
        "def f(A, x, n: int):\n    y = np.zeros(n)\n    for i in range(n):\n        y[i] = A[i] @ x\n"
        "    return np.sum(y * y)\n",
        "grad",
        "    a_bar = _unbroadcast(y_bar[i], p_saved[i])",
        ("], A[i] @ x)",),
    ),
    "a number that a branch may leave unread": (
        "def wave(t, decay):\n    return np.exp(-decay * t) * np.cos(t)\n\n"
        "def f(t: float, decay: float):\n    y = wave(t, decay)\n    if y > 0.0:\n        return y\n    return t\n",
        "grad",
        "return t_bar, decay_bar",
        ("ones_like",),
    ),
    "entries under texts that a loop puts together": (
        "def f(params, x, n: int):\n    h = x\n    for i in range(n):\n"
        "        h = np.tanh(params[f'W{i}'] @ h + params[f'b{i}'])\n    return np.sum(h)\n",
        "vjp",
        '    params_bar[f"W{i}"] += _matmul_bar_a(s_bar, params[f"W{i}"], h)',
        ("item", " t = "),
    ),
    "one cotangent of several terms": (
        "# s2s: x (n,)\ndef f(x):\n    y = np.sin(x)\n    z = np.exp(-y) * y\n    return np.sum(z * z)\n",
        "grad",
        "y_bar = (1.0 - y) * e * z_bar",
        (),
    ),
    "a condition, and a division by lengths, behind np.where": (
        "# s2s: Q (n, h), K (n, h), mask (n, n)\ndef f(Q, K, mask):\n    n, d = Q.shape\n"
        "    S = Q @ K.T / np.sqrt(d)\n    S = np.where(mask, -1e9, S)\n    return np.sum(np.sin(S) @ S)\n",
        "grad",
        "Q_bar = S_bar / r @ K",
        ("_bar == 0.0", "zeros_like(mask"),
    ),
    "the mean of a row, which is a view that is written": (
        "# s2s: A (m, n)\ndef f(A):\n    A = A.copy()\n    for row in A:\n        row -= row.mean()\n    return A\n",
        "vjp",
        "for t in reversed(range(len(A))):\n    # adjoint of: row -= row.mean()\n"
        "    A_bar[t] -= np.sum(A_bar[t]) / A.shape[1]",
        ("_saved", "A[t]"),
    ),
    "the mean of an item": (
        "# s2s: A (m, n)\ndef f(A):\n    A = A.copy()\n    for j in range(A.shape[1]):\n"
        "        A[:, j] -= A[:, j].mean()\n    return A\n",
        "vjp",
        "    # adjoint of: A[:, j] -= A[:, j].mean()\n    A_bar[:, j] -= np.sum(A_bar[:, j]) / len(A)",
        ("_saved",),
    ),
    "a denominator that is needed twice": (
        "# s2s: x (n,)\ndef f(x):\n    return np.sum(x / (1.0 + x**2))\n",
        "grad",
        "s = 1.0 + x**2\nx_bar = 1.0 / s - 2.0 * x * x / s**2",
        (),
    ),
    "the largest": (
        "# s2s: u (n, k)\ndef f(u):\n    z = u - np.max(u, axis=1, keepdims=True)\n    return np.sum(np.exp(z) * z)\n",
        "grad",
        "m_bar = -np.sum(z_bar, axis=1, keepdims=True)",
        ("1.0 * z_bar",),
    ),
    "a reduction of an array of any rank": (
        "def f(x):\n    m = np.max(x, axis=-1, keepdims=True)\n"
        "    return np.log(np.sum(np.exp(x - m), axis=-1)) + np.squeeze(m, axis=-1)\n",
        "vjp",
        "m_bar = np.expand_dims(out_bar, -1) - np.sum(x_bar, axis=-1, keepdims=True)",
        ("_unbroadcast",),
    ),
    "a cotangent of the length of what is costly": (
        "def h(x):\n    return np.log(np.sum(np.exp(x), axis=1))\n\n"
        "# s2s: A (n, n)\ndef f(A):\n    return np.sum(h(A @ A))\n",
        "grad",
        "a_bar = _h_rev(p, np.ones(len(A), np.result_type(A, 1.0)))",
        ("ones_like",),
    ),
    "a selection that is read and written": (
        "# s2s: x (n,)\ndef f(x):\n    y = x * x\n    y[y > 1.0] = 1.0 / y[y > 1.0]\n    return np.sum(y)\n",
        "grad",
        "y_bar[mask] = -y_bar[mask] / y[mask] ** 2",
        ("_unbroadcast",),
    ),
    "a pair that does not fit on a line": (
        "def f(x: float, y: float):\n    return math.sin(x * y) * math.exp(-x * y) / (1.0 + math.cos(y) ** 2)\n",
        "jvp",
        "return value, value_dot",
        (),
    ),
    "a pair that fits": ("def f(x: float):\n    return x * x\n", "jvp", "return x * x, 2.0 * x * x_dot", ("value",)),
    "the only exit of a loop": (
        "def f(v, x: float):\n    for a in v:\n        if a > x:\n            return a * x\n    return x\n",
        "grad",
        "        returned = True\n        break",
        ("exit_at",),
    ),
    "items of a loop": (
        "# s2s: v (n,)\ndef f(v, x: float):\n    for a in v:\n        if a > x:\n"
        "            return a * x\n    return x\n",
        "grad",
        "    # adjoint of: for a in v:\n    v_bar[t] += a_bar",
        (),
    ),
    "a list that is replaced": (
        "def f(x: float, n: int):\n    v = [x, 2.0 * x]\n    for _ in range(n):\n        v = [a * x for a in v]\n"
        "    return v[0] + v[1]\n",
        "grad",
        "    v_saved.append(v)\n    v = [a * x for a in v]",
        ("t1",),
    ),
    "nothing to undo in a branch": (
        "def f(x: float, n: int):\n    last = None\n    s = 0.0\n    for _ in range(n):\n"
        "        d = 0.0 if last is None else x - last\n        s += d * x\n        last = x * s\n    return s\n",
        "grad",
        "    if last is not None:",
        ("pass",),
    ),
    "several names at once": (
        "def f(x: float, v: float, n: int):\n    for _ in range(n):\n        x, v = x + 0.1 * v, v - 0.1 * x**3\n"
        "    return x * v\n",
        "grad",
        "    old_x_saved.append(x)\n    x, v = x + 0.1 * v, v - 0.1 * x**3",
        ("t1",),
    ),
    "what is asked of an array is its shape": (
        "def f(u, v, n: int):\n    u = np.copy(u)\n    v = np.copy(v)\n    for _ in range(n):\n"
        "        u[1:] += 0.1 * (v[1:] - v[:-1])\n        v[:-1] -= 0.1 * (u[1:] - u[:-1])\n    return np.sum(u + v)\n",
        "vjp",
        "    v_bar[:-1] -= _unbroadcast(0.1 * u_bar[1:], v[:-1])\nreturn value, (u_bar, v_bar)",
        ("_saved", ".pop(", "_bar.copy()"),
    ),
    "a result that has a name": (
        "def f(x: float, n: int):\n    s = 0.0\n    for i in range(n):\n        s += math.sin(x * i)\n    return s\n",
        "value_and_grad",
        "return s, x_bar",
        ("value =",),
    ),
    "a result whose name has another value in the reverse sweep": (
        "def f(x: float, n: int):\n    s = x\n    for i in range(n):\n        s = s * s * x + i\n    return s\n",
        "value_and_grad",
        "value = s",
        (),
    ),
    "a result with a comment of the user's": (
        "def f(x: float):\n    s = x * x\n    return s  # the square\n",
        "value_and_grad",
        "value = s  # the square",
        (),
    ),
    "what is added to zeros is assigned": (
        "# s2s: A (n, n)\ndef f(A):\n    A = A.copy()\n    A[:] = np.sin(A)\n    A[0] = A[0] * A[1]\n"
        "    A[0] = A[1] ** 2\n    return np.sum(A * A)\n",
        "grad",
        "A_bar[:] = np.cos(A) * s_bar",
        ("[...] += ",),
    ),
    "a costly value that the tangent and the store read": (
        "# s2s: A (n,)\ndef f(A):\n    A = A.copy()\n    A[0] = np.sqrt(A[0])\n"
        "    A[1:] = np.sqrt(A[:-1])\n    return A\n",
        "jvp",
        "r = np.sqrt(A[0])\nA_dot[0] = 0.5 * A_dot[0] / r\nA[0] = r\n"
        "r = np.sqrt(A[:-1])\nA_dot[1:] = 0.5 * A_dot[:-1] / r\nA[1:] = r",
        (),
    ),
    "a costly value that the user computes twice": (
        "# s2s: x (n,)\ndef f(x, a: float):\n    y = x * math.exp(-a) / (1.0 + math.exp(-a))\n"
        "    return np.sum(y * y)\n",
        "grad",
        "e = math.exp(-a)\ny = x * e / (1.0 + e)",
        ("e1",),
    ),
    "what is computed twice without a derivative stays as it is": (
        "# s2s: x (n,)\ndef f(x, a: float):\n    b = np.max(x) + np.max(x)  # s2s: constant\n"
        "    return np.sum(x * a * b)\n",
        "grad",
        "b = np.max(x) + np.max(x)  # s2s: constant",
        (),
    ),
    "a costly value of an array that changes": (
        "# s2s: A (n,)\ndef f(A):\n    A = A.copy()\n    A[0] = np.sum(A)\n    A[1] = np.sum(A)\n"
        "    return np.sin(np.sum(A))\n",
        "jvp",
        "A_dot[1] = np.sum(A_dot)\nA[1] = np.sum(A)",
        (),
    ),
    "a sum in a sum": (
        "def f(x: float, y: float, z: float):\n    return z - x * y - (x * z - y * z)\n",
        "jvp",
        "value_dot = (\n    z_dot - y * x_dot - x * y_dot - z * x_dot - x * z_dot + z * y_dot + y * z_dot\n)",
        (),
    ),
    "a sum in an update": (
        "def f(x, y: float, n: int):\n    s = np.zeros(3)\n    for i in range(n):\n        s[i] -= x[i] * y\n"
        "    return s\n",
        "jvp",
        "    s_dot[i] -= y * x_dot[i] + x[i] * y_dot",
        (),
    ),
    "numbers that are added to an array": (
        "# s2s: x (n,)\ndef f(x, y: float, z: float):\n    return x + y * z\n",
        "jvp",
        "return x + y * z, x_dot + (z * y_dot + y * z_dot)",
        (),
    ),
    "terms that are all negative": (
        "def f(d: float, u: float):\n    p = (1.0 - d) / (u - d)\n    return p * p + u * math.sin(d)\n",
        "grad",
        "d_bar -= p_bar / (u - d) + den_bar",
        (),
    ),
    "a name that still has its value is not saved": (
        "def f(x: float, c: float):\n    s = np.sin(x)\n    if c > 0.0:\n        y = s * s\n        s = s * y\n"
        "    return s\n",
        "grad",
        "s_bar = 1.0\nif c > 0.0:",
        ("s_saved",),
    ),
    "ranks are not known": (
        "def f(x, y):\n    return np.mean(y * x)\n",
        "grad",
        "x_bar = _unbroadcast(y * a_bar, x)",
        ("ones_like",),
    ),
    "a loop that updates the entries of a dict": (
        "def f(params, lr):\n    for k in params:\n        params[k] = params[k] - lr * params[k] ** 2\n"
        "    s = 0.0\n    for k, p in params.items():\n        s += np.sum(p**2)\n    return s\n",
        "vjp",
        "params_new = dict(params)\nparams_new_saved = []\nfor k in params:",
        ("k_saved", "params_keys", "list("),
    ),
    "a loop over the keys of a dict, from its end": (
        "def f(params, n: int):\n    m = {k: 0.5 * p for k, p in params.items()}\n    for t in range(n):\n"
        "        for k in params:\n            m[k] = m[k] * np.sin(m[k]) * params[k]\n"
        "    return sum(np.sum(p) for p in m.values())\n",
        "vjp",
        "for _ in range(n):\n    for k in reversed(params):\n        sine = sine_saved.pop()\n"
        "        # adjoint of: m[k] = m[k] * np.sin(m[k]) * params[k]\n        m[k] = m_saved.pop()",
        ("k_saved", "_put_back", "params_keys", "list(", "range(len("),
    ),
    "a sum under a key that may be new": (
        "def f(x, labels: list):\n    sums = {}\n    for i in range(len(x)):\n"
        "        sums[labels[i]] = sums.get(labels[i], 0.0) + x[i]\n"
        "    loss = 0.0\n    for c in sums:\n        loss += sums[c] ** 2\n    return loss\n",
        "vjp",
        "for i in range(len(x)):\n    if labels[i] not in sums:\n        sums[labels[i]] = 0.0\n"
        "    sums_saved.append(sums[labels[i]])\n    sums[labels[i]] = sums[labels[i]] + x[i]",
        ("_put_back", "like(sums.get("),
    ),
    "items of a display that get what is added to them at once": (
        "def split(a, b):\n    return a * b, a + b\n\n\n# s2s: x (n,), y (n,)\n"
        "def f(x, y, n: int):\n    pair = split(x, y)\n    for i in range(n):\n"
        "        pair = split(pair[0], pair[1])\n    return np.sum(pair[0] * pair[1])\n",
        "vjp",
        "pair_bar = [pair[1] * out_bar, pair[0] * out_bar]\nfor i in reversed(range(n)):\n"
        "    # adjoint of: pair = split(pair[0], pair[1])\n    pair = pair_saved[i]\n"
        "    a_inc, b_inc = _split_rev(pair[0], pair[1], pair_bar)\n    pair_bar = [a_inc, b_inc]",
        ("pair_bar[0] += ", "pair_bar[1] += "),
    ),
    "a sum under a key, of a vector": (
        "# s2s: x (n,)\ndef f(x, labels: list):\n    sums = {}\n    for i in range(len(x)):\n"
        "        k = labels[i]\n        sums[k] = sums.get(k, 0.0) + x[i]\n"
        "    return sum(v**2 for v in sums.values())\n",
        "vjp",
        "for i in reversed(range(len(x))):\n    # adjoint of: sums[k] = sums.get(k, 0.0) + x[i]\n"
        "    x_bar[i] += sums_bar[labels[i]]",
        ("taken", "fromkeys", "= 0.0\n    return"),
    ),
    "groups of items under keys, which a loop over the keys gives their adjoints": (
        "# s2s: x (n,)\ndef f(x, labels: list):\n    groups = {}\n    for i in range(len(x)):\n"
        "        groups.setdefault(labels[i], []).append(x[i])\n    s = 0.0\n    for k in groups:\n"
        "        s += np.sum(np.array(groups[k])) ** 2\n    return s\n",
        "vjp",
        "    groups_bar[k] = list(a_bar)\nx_bar = np.zeros(len(x), dtype=np.result_type(x, 0.0))\n"
        "for i in reversed(range(len(x))):\n    # adjoint of: groups.setdefault(labels[i], []).append(x[i])\n"
        "    x_bar[i] += groups_bar[labels[i]].pop()",
        ("taken", "_added"),
    ),
    "a copy of a dict": (
        "def f(params, lr):\n    for k in params:\n        params[k] = params[k] - lr * params[k] ** 2\n"
        "    return sum(np.sum(p**2) for p in params.values())\n",
        "jvp",
        "params_new = dict(params)\nparams_new_dot = dict(params_dot)\nfor k in params:",
        ("list(", "params_keys"),
    ),
    "a loop over numbers of a display, which have no axes": (
        "# s2s: Z (t, n)\ndef f(Z):\n    n_steps, n = Z.shape\n    total = 0.0\n    for sign in (1.0, -1.0):\n"
        "        S = np.ones(n)\n        for t in range(n_steps):\n            S *= np.exp(sign * Z[t])\n"
        "        total += S.mean()\n    return total\n",
        "vjp",
        "        Z_bar[t] += sign * e * S * S_bar\n        S_bar = e * S_bar",
        ("_unbroadcast",),
    ),
    "what a branch adds to is computed again before it, and not saved": (
        "# s2s: pos (n, 2)\ndef f(pos, rc: float):\n    energy = 0.0\n    for i in range(len(pos) - 1):\n"
        "        d = pos[i] - pos[i + 1]\n        r2 = np.dot(d, d)\n        if r2 < rc**2:\n"
        "            energy += np.sum(np.sin(r2) * d)\n    return energy\n",
        "vjp",
        "    r2 = r2_saved[i]\n    d = pos[i] - pos[i + 1]\n    d_bar = np.zeros_like(d)",
        ("d_saved",),
    ),
    "places of a list are whole numbers": (
        "def f(lengths, tips, children):\n    partial = list(tips)\n    for a, b in children:\n"
        "        partial.append(lengths[a] * partial[a] * partial[b])\n    return np.sum(partial[-1])\n",
        "vjp",
        "    lengths_bar[a] += _unbroadcast(",
        ("np.add.at",),
    ),
    "the cotangent of a block under np.ix_ is read once": (
        "def f(ke: float, n: int):\n    K = np.zeros((n, n))\n    for e in range(n - 1):\n"
        "        dofs = np.array([e, e + 1])\n        K[np.ix_(dofs, dofs)] += ke\n    return np.sum(K**2)\n",
        "vjp",
        "    s_bar = _last_stored(K_bar, k_saved[e])\n    ke_bar += np.sum(s_bar)",
        ("_names_once",),
    ),
    "the adjoint of a complex array is copied once": (
        "def f(lines, n: int):\n    Y = np.zeros((n, n), dtype=complex)\n    for f, t, r in lines:\n"
        "        Y[int(f), int(t)] += 1 / (r + 1j)\n    return Y\n",
        "vjp",
        "Y_bar = out_bar.astype(Y.dtype)",
        ("copy",),
    ),
    "an attribute that is a parameter all along": (
        "class Body:\n    def __init__(self, m, x):\n        self.m = m\n        self.x = x.copy()\n\n\n"
        "# s2s: x (n,)\ndef f(m: float, x):\n    b = Body(m, x)\n    for i in range(3):\n"
        "        b.x = b.x + b.m * np.sin(b.x)\n    return np.sum(b.x)\n",
        "vjp",
        "    m_bar += np.sum(sine_saved[i] * b_x_bar)\n    b_x_bar += m * np.cos(b_x_saved[i]) * b_x_bar",
        ("b_m",),
    ),
    "what no call can change stands where it is read": (
        "class Model:\n    def __init__(self, S, k):\n        self.S = np.asarray(S)\n        self.k = k\n\n"
        "    def rate(self, x):\n        return self.S @ (self.k * x)\n\n\n"
        "# s2s: S (n, n), k (n,), x (n,), c (n,)\ndef f(S, k, x, c, dt: float):\n    model = Model(S, k)\n"
        "    for i in range(3):\n        x = c - dt * model.rate(x)\n    return np.sum(x)\n",
        "vjp",
        "    x_saved.append(x)\n    x = c - dt * p",
        ("before",),
    ),
    "a list that is as long as the loop that fills it": (
        "# s2s: x (n,), y (n,)\ndef f(x, y):\n    q = []\n    s = 0.0\n    for v, w in zip(x, y):\n"
        "        s = s + v * w\n        q.append(s)\n    q = np.array(q)\n    return np.sum((q - y) ** 2)\n",
        "vjp",
        "q_bar = 2.0 * (q - y) * out_bar\ny_bar = -q_bar",
        ("_unbroadcast",),
    ),
    "elements that a triangular loop writes are apart from those that it reads": (
        "# s2s: A (n, n)\ndef f(A):\n    n = len(A)\n    R = np.zeros((n, n))\n    for k in range(n):\n"
        "        R[k, k] = np.sqrt(A[k, k])\n        for j in range(k + 1, n):\n"
        "            R[k, j] = A[k, j] / R[k, k]\n            for i in range(k + 1, j + 1):\n"
        "                A[i, j] = A[i, j] - R[k, i] * R[k, j]\n    return R\n",
        "vjp",
        "        s_bar = R_bar[k, j]\n        A_bar[k, j] += s_bar / R[k, k]",
        ("R_saved", "R1_saved"),
    ),
    "a product that is stored into an element is one of vectors": (
        "def f(A):\n    A = np.copy(A)\n    R = np.zeros((A.shape[1], A.shape[1]))\n    for k in range(A.shape[1]):\n"
        "        R[k, k] = np.dot(A[:, k], A[:, k - 1])\n    return R\n",
        "vjp",
        "    A_bar[:, k] += A[:, k - 1] * R_bar[k, k]\n    A_bar[:, k - 1] += A[:, k] * R_bar[k, k]",
        ("_dot_bar",),
    ),
    "the results of a helper that are stored into elements": (
        "def pair(x, y):\n    return np.sin(x) * y, np.cos(y)\n\n\ndef f(x: float, y: float, n: int):\n"
        "    u = np.zeros(n)\n    v = np.zeros(n)\n    for i in range(n):\n        u[i], v[i] = pair(x * i, y)\n"
        "    return np.sum(u * v)\n",
        "vjp",
        "    u_item, v_item = pair(x * i, y)\n    u[i] = u_item\n    v[i] = v_item",
        ("t1",),
    ),
    "an array of the module has the shape that its text tells": (
        "NODES = np.array([-0.7, 0.0, 0.7])\n\n\n# s2s: x (n,)\ndef f(x):\n    t = 0.0\n    for w in NODES:\n"
        "        t += np.sum(np.sin(w * x))\n    return t\n",
        "vjp",
        "    x_bar += w * np.cos(w * x) * t_bar",
        ("_unbroadcast",),
    ),
    "a helper that is written out, for options that are known": (
        "def smooth(x, w=0.5, mode='edge', out=None):\n    if out is None:\n        out = np.zeros_like(x)\n"
        "    out[1:-1] = w * (x[2:] + x[:-2])\n    if mode == 'edge':\n        out[0] = x[0]\n    return out\n\n\n"
        "# s2s: x (n,)\ndef f(x):\n    return np.sum(smooth(x)) + np.sum(smooth(x, 0.3))\n",
        "vjp",
        "smooth_out = np.zeros_like(x)\nsmooth_out[1:-1] = 0.3 * (x[2:] + x[:-2])\nsmooth_out[0] = x[0]",
        ("edge", "None"),
    ),
    "a square of a parameter, whose cotangent is twice the parameter": (
        "def f(u):\n    return np.sum(u * u)\n",
        "grad",
        "# adjoint of: return np.sum(u * u)\nu_bar = 2.0 * u\nreturn u_bar",
        ("+=",),
    ),
    "an array that is filled behind a store into a slice, whose adjoint is handed on": (
        "# s2s: x (n,), y (n,)\ndef f(x, y):\n    b = x.copy()\n    b[1:] = np.tanh(y[1:] * b[1:])\n    b *= y\n"
        "    return np.sum(b)\n",
        "grad",
        "b_bar = 1.0 * y\n# adjoint of: b[1:] = np.tanh(y[1:] * b[1:])",
        (".copy()\n    return",),
    ),
    "the logarithm of a density, where constants and powers cancel": (
        "def f(s, e):\n    return 0.5 * (np.log(2.0 * np.pi * s**2) + e * e / s)\n",
        "grad",
        "s_bar = 1.0 / s - 0.5 * e * e / s**2",
        ("np.pi / (", "s / s"),
    ),
    "a quotient in a branch of np.where": (
        "# s2s: x (n,), w ()\ndef f(x, w):\n    r = np.abs(x)\n"
        "    return np.sum(np.where(r < w, 0.5 * x**2 / w, r - 0.5 * w))\n",
        "grad",
        "x_bar = x * np.where(r < w, 1.0 / w, 0.0)",
        ("np.where(r < w, 1.0, 0.0)",),
    ),
    "the size of a square of a difference": (
        "def f(a, b):\n    return np.mean((a - b) ** 2)\n",
        "grad",
        "a1_bar = 2.0 * (a - b) / np.size(a - b)",
        (),
    ),
    "a root of a number, which is not saved": (
        "# s2s: x (n,), c ()\ndef f(x, c):\n    y = np.zeros(len(x))\n    for i in range(len(x)):\n"
        "        y[i] = np.exp(-x[i] ** 2) / (c * np.sqrt(2.0 * np.pi))\n    return np.sum(np.log(y))\n",
        "grad",
        "r = np.sqrt(2.0 * np.pi)",
        ("r_saved",),
    ),
    "a diagonal that is filled": (
        "# s2s: G (n, n)\ndef f(G):\n    G = np.sin(G)\n    np.fill_diagonal(G, 0.0)\n    return np.sum(G**2)\n",
        "grad",
        "G_bar = 2.0 * G1\n# adjoint of: np.fill_diagonal(G, 0.0)\nnp.fill_diagonal(G_bar, 0.0)",
        ("arange",),
    ),
    "an attribute that is a function, and one that is None": (
        "class Filter:\n    def __init__(self, w, g=None, shift=None):\n        self.w = w\n        self.g = np.sin\n"
        "        if g is not None:\n            self.g = g\n        self.shift = shift\n\n    def run(self, x):\n"
        "        y = self.w * x\n        if self.shift is not None:\n            y = y + self.shift\n"
        "        return self.g(y)\n\n\n"
        "def f(x, w):\n    low = Filter(w, np.tanh)\n    high = Filter(w, np.exp, 1.0)\n"
        "    return low.run(x) * high.run(x)\n",
        "grad",
        "high_shift = 1.0\ny = w * x\nrun_2 = np.tanh(y)\ny = w * x\ny = y + high_shift\nrun_3 = np.exp(y)",
        ("is np", "None"),
    ),
    "a root that is 0 where the branch does not hold it": (
        "def f(x: float, y: float):\n    h = 0.0\n    if x > 0.0:\n        h = x * y\n    return np.sqrt(h)\n",
        "grad",
        "h_bar = 0.5 / r",
        ("r == 0.0",),
    ),
    "a counter of a loop": (
        "# s2s: x (n,)\ndef f(x, n: int):\n    i = 0\n    s = 1.0\n    while i < n:\n        s = s * np.sin(x[i])\n"
        "        i += 1\n    return s\n",
        "grad",
        "for sine in reversed(sine_saved):\n    i -= 1\n    # adjoint of: s = s * np.sin(x[i])",
        ("i_saved",),
    ),
    "differences, whose cotangent is a new array": (
        "def f(x, k):\n    d = np.diff(x)\n    return k * np.sum(d**2)\n",
        "grad",
        "d_bar = 2.0 * k * d\n# adjoint of: d = np.diff(x)\nx_bar = _diff_bar(d_bar, x)",
        ("1.0 *",),
    ),
    "tangents of comprehensions are comprehensions": (
        "def f(M: list[list[float]], x: float):\n    N = [[a * x for a in row] for row in M]\n"
        "    q = [a + 1.0 for a in N[0] if a > 0]\n    return sum(q)\n",
        "jvp",
        "N_dot = [\n    [x * a_dot + a * x_dot for a, a_dot in zip(row, row_dot)]\n"
        "    for row, row_dot in zip(M, M_dot)\n]\nN = [[a * x for a in row] for row in M]\n"
        "N_0 = N[0]\nq_dot = [a_dot for a, a_dot in zip(N_0, N_dot[0]) if a > 0]\n"
        "q = [a + 1.0 for a in N_0 if a > 0]\n",
        ("append", "range"),
    ),
    "a loop over items has those of the tangent beside them": (
        "def f(q: list[float], x: float):\n    r = list(q)\n    q[1] = q[1] * x\n    s = 0.0\n"
        "    for a, b in zip(r, q):\n        s += a * b\n    return s\n",
        "jvp",
        "for a, b, a_dot, b_dot in zip(r, q, r_dot, q_dot):\n    s_dot += b * a_dot + a * b_dot\n",
        ("range",),
    ),
    "items are taken before the list is written": (
        "def f(q: list[float], x: float):\n    s = 0.0\n    for v in q:\n        q[0] = q[0] * x\n"
        "        s += v * x\n    return s\n",
        "jvp",
        "for v, v_dot in zip(q, q_dot):\n    q_dot[0] = x * q_dot[0] + q[0] * x_dot\n    q[0] = q[0] * x\n",
        ("range",),
    ),
    "the tangent of a list that is returned": (
        "def f(v: list[float], d: dict[str, float]):\n"
        "    return [max(a, 0.0) * a for a in v], {k: a * a for k, a in d.items()}\n",
        "jvp",
        "return (items, made), (items_dot, made_dot)\n",
        (),
    ),
    "a list that is kept elsewhere, too, is not returned itself": (
        "def f(q: list[float], x: float):\n    keep = []\n    r = [v * x for v in q]\n    keep.append(r)\n"
        "    r[0] = r[0] * x\n    return r, keep[0][0]\n",
        "jvp",
        "return (r, keep[0][0]), ([v for v in r_dot], keep_dot[0][0])\n",
        (),
    ),
    "rows of a cotangent are copied once": (
        "def matmul(A, B):\n    n = len(A)\n    C = [[0.0 for _ in range(n)] for _ in range(n)]\n"
        "    for i in range(n):\n        for j in range(n):\n            s = 0.0\n            for k in range(n):\n"
        "                s += A[i][k] * B[k][j]\n            C[i][j] = s\n    return C\n\n\n"
        "def f(A: list[list[float]]):\n    M = matmul(A, A)\n    return sum(M[i][i] for i in range(len(M)))\n",
        "vjp",
        "C_bar = [list(row) for row in out_bar]\n",
        (),
    ),
    "what arithmetic gives is added with a plus, whatever else a name holds": (
        "def nest(n, x):\n    if n == 0:\n        return [x, x * x]\n    return [x * 1.5, nest(n - 1, x * 2.0)]\n\n\n"
        "def total(t):\n    s = 0.0\n    for u in t:\n        if isinstance(u, list):\n            s += total(u)\n"
        "        else:\n            s += u * u\n    return s\n\n\n"
        "def f(x: float, n: int):\n    return total(nest(n, x))\n",
        "vjp",
        "        u_bar = 2.0 * _unbroadcast(u * s_bar, u)\n",
        ("_added(part",),
    ),
    "numbers beside objects in a loop that is written out": (
        "class Fixed:\n    def __init__(self, v):\n        self.v = v\n\n    def apply(self, u, side):\n"
        "        u[side] = self.v\n\n\nclass Free:\n    def apply(self, u, side):\n        u[side] = u[1] * 2.0\n\n\n"
        "def f(x, a):\n    u = x * x\n    for end, side in zip([Fixed(a), Free()], [0, -1], strict=True):\n"
        "        end.apply(u, side)\n    return np.sum(u * u)\n",
        "vjp",
        "fixed.apply(u, 0)",
        ("side =", "side1 ="),
    ),
    "one thing beside the items of a loop": (
        "import itertools\n\n\ndef f(x, w):\n    # s2s: x (n,), w ()\n    s = 0.0\n"
        "    for a, b in zip(x, itertools.repeat(w)):\n        s += a * a * b\n"
        "    return s * np.sum(np.array([v * c for c, v in zip(itertools.repeat(w), x)]))\n",
        "vjp",
        "for a in x:\n    s += a * a * w",
        ("items1", "w for _ in"),
    ),
    "an object in another object": (
        "class Box:\n    def __init__(self, length):\n        self.length = length\n\n    def wrap(self, d):\n"
        "        return d - self.length * np.round(d / self.length)\n\n\nclass Field:\n    def __init__(self, box):\n"
        "        self.box = box\n\n    def energy(self, x):\n        d = self.box.wrap(x)\n"
        "        return np.sum(d * d) / self.box.length\n\n\n"
        "def f(x):\n    box = Box(4.0)\n    return Field(box).energy(x)\n",
        "vjp",
        "box_length = 4.0",
        ("field_box_length", "_length = box_length"),
    ),
    "numbers that are put in are calculated": (
        "class Dense:\n    def __init__(self, w):\n        self.w = w\n\n    def forward(self, x):\n"
        "        return self.w * x\n\n\nclass Square:\n    def forward(self, x):\n        return x * x\n\n\n"
        "def rows(x, n):\n    return x[n:] * x[:-n]\n\n\n"
        "def f(x, w):\n    # s2s: x (n,), w ()\n    layers = [Dense(w), Square(), Dense(2.0)]\n"
        "    for layer in layers:\n        x = layer.forward(x)\n"
        "    y = sum([layer.forward(x) * (i + 1) for i, layer in enumerate(layers)])\n"
        "    return np.sum(rows(x, len(layers) - 1)) + np.sum(y)\n",
        "vjp",
        "rows_value = rows(x2, 2)",
        ("3 - 1", "0 + 1", "1 + 1"),
    ),
    "texts that are asked how they begin": (
        'def f(x, w):\n    # s2s: x (n,), w ()\n    d = {}\n    for k in ("in_a", "out_a"):\n'
        '        d[k] = np.sum(x * x) * w\n        if k.startswith("in"):\n            d[k] += w\n'
        '    return d["in_a"] * d["out_a"]\n',
        "vjp",
        "d_in_a += w",
        ("startswith",),
    ),
    "what a method asserts that is called twice": (
        "class Fit:\n    def __init__(self, p):\n        assert all(np.ndim(v) == 0 for v in p)\n        self.p = p\n\n"
        "    def total(self):\n        assert all(np.ndim(v) == 0 for v in self.p)\n"
        "        return sum(v * v for v in self.p)\n\n\n"
        "def f(p, x):\n    a = Fit(p)\n    return a.total() * np.sum(x) + a.total()\n",
        "vjp",
        "assert all(np.ndim(v) == 0 for v in p)",
        ("for total_v in p)",),
    ),
    "ones and zeros are made again, not saved": (
        "# s2s: x ()\ndef f(x, n: int):\n    s = 0.0\n    for _ in range(3):\n        a = -x * np.ones(n)\n"
        "        s = s + np.sum(a * s)\n        x = x * x\n    return s\n",
        "vjp",
        "    a = -x * np.ones(n)\n",
        ("ones_saved",),
    ),
    "what dicts of a part of a list get": (
        "def f(layers: list, x):\n    h = x\n    for layer in layers[1:-1]:\n"
        '        h = np.tanh(h * layer["w"] + layer["b"])\n    return h\n',
        "vjp",
        '    layers_bar[t + 1]["w"] += _unbroadcast(h * a_bar, layer["w"])\n',
        ("_added",),
    ),
    "what dicts of a list get that is run over from its end": (
        "def f(layers: list, x):\n    h = x\n    for layer in reversed(layers):\n"
        '        h = np.tanh(h * layer["w"] + layer["b"])\n    return h\n',
        "vjp",
        '    layers_bar[-1 - t]["w"] += _unbroadcast(h * a_bar, layer["w"])\n',
        ("_added",),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_text(name: str) -> None:
    source, emit, lines, never = CASES[name]
    text = differentiate(HEAD + "\n\n" + source, Request(emit=(emit,)))
    block = "".join(f"    {line}\n" for line in lines.splitlines())
    assert block in text, text
    body = text[text.index("def f_") :]
    assert not [word for word in never if word in body.split("def _unbroadcast")[0]], text


def test_attributes_are_unpacked_as_such() -> None:
    text = """
import numpy as np


class Line:
    def __init__(self, p):
        self.offset, self.slope = p

    def at(self, x):
        return self.offset + self.slope * x


def f(p, x):
    line = Line(p)
    return np.sum(np.sin(line.at(x)))
"""
    output = differentiate(text, Request(functions=("f",), emit=("vjp",)))
    assert "    line_offset, line_slope = p\n" in output


def test_what_is_held_constant_reads_as_the_user_wrote_it() -> None:
    text = """
import numpy as np


def f(r, y):
    c = np.max(np.abs(r * y))  # s2s: constant
    z = [np.exp(v * 2.0) for v in y]  # s2s: constant
    return np.sum((r / c) ** 2) * z[0]
"""
    output = differentiate(text, Request(functions=("f",), emit=("value_and_grad", "jvp")))
    assert output.count("c = np.max(np.abs(r * y))  # s2s: constant\n") == 2
    assert output.count("[np.exp(v * 2.0) for v in y]  # s2s: constant\n") == 2
    space: dict[str, Any] = {}
    exec(output, space)
    r, y = np.array([0.5, -1.5]), np.array([0.3, 0.7])
    held = np.max(np.abs(r * y))
    value, r_bar = space["f_value_and_grad"](r, y)
    np.testing.assert_allclose(value, np.sum((r / held) ** 2) * np.exp(0.6))
    np.testing.assert_allclose(r_bar, 2 * r / held**2 * np.exp(0.6))
    np.testing.assert_allclose(space["f_jvp"](r, y, r_dot=y)[1], r_bar @ y)


def test_formatted_texts_stand_without_parentheses_of_their_own() -> None:
    text = """
def f(x, mode):
    if mode == "square":
        return x**2
    print(f"mode {mode}", f"{x}" * 2)
    raise ValueError(f"unknown mode {mode!r}")
"""
    output = differentiate(text, Request(functions=("f",), emit=("grad",)))
    assert 'print(f"mode {mode}", f"{x}" * 2)' in output and 'raise ValueError(f"unknown mode {mode!r}")' in output


def test_a_helper_inside_of_an_expression_is_called_once_in_forward_mode() -> None:
    source = """
import numpy as np


def law(c):
    return np.sin(c) if c > 0.5 else 2.0 * c


def double(k):
    return law(k)


# s2s: u (n,), k ()
def f(u, k):
    return np.sum(u) * law(law(k))
"""
    text = differentiate(source, Request(functions=("f", "double"), emit=("jvp",)))
    assert "law(" not in text.replace("_law_jvp(", "").replace("of law(", "")
    assert "law_value, law_value_dot = _law_jvp(law_value, law_value_dot)" in text
    assert "return _law_jvp(k, k_dot)" in text


def test_a_number_beside_an_array_that_is_written_has_a_slot_in_the_adjoint_of_their_tuple() -> None:
    source = """
import numpy as np


def pair(A):
    return A * 2.0, A[0] * A[1]


# s2s: A (n,), s ()
def f(A, s):
    p = pair(A)
    B, c = p
    B[0] = c * s
    return np.sum(p[0] ** 2) + c
"""
    text = differentiate(source, Request(functions=("f",), emit=("grad",)))
    assert "B_bar = p_bar[0]" in text and "p_bar[1] += c_bar" in text and "A_bar = _pair_rev(A, p_bar)" in text


DICTS_IN_TUPLES = """
def scaled(pair, x):
    g, c = pair
    out = {}
    for k in g:
        out[k] = g[k] * c * x
    return out, c * x


def f(params, x):
    out, c = scaled((params, x), x)
    return sum(v for v in out.values()) * c
"""


def test_dicts_in_tuples_are_handed_on_as_they_are() -> None:
    """No copy of what only its entries are read of, and of what nothing else sees; no list for the parts of a tuple."""
    request = Request("model.py", ("f",), emit=("vjp", "jvp"))
    text = differentiate(DICTS_IN_TUPLES, request)
    assert "out1_bar = out_bar[0]\n" in text
    assert "return (g_bar, c_bar), x_bar\n" in text
    assert "value_dot = out_dot, " in text or "return value, (out_dot, " in text


OBJECTS_IN_LISTS = """
class Cell:
    def __init__(self, u):
        self.u = u
        self.flux = 0.0

    def energy(self):
        return self.u**2


def exchange(cells, c):
    for k in range(len(cells) - 1):
        left, right = cells[k], cells[k + 1]
        q = c * (left.u - right.u)
        left.flux -= q
        right.flux += q


def energy(cells):
    return sum(cell.energy() for cell in cells)


# s2s: u (n,), c ()
def f(u, c):
    cells = [Cell(v) for v in u]
    exchange(cells, c)
    return energy(cells)
"""


def test_helpers_that_are_given_objects_in_a_list() -> None:
    """One that changes them is written out, and one that asks objects which are only their attributes there."""
    text = differentiate(OBJECTS_IN_LISTS, Request("model.py", ("f",), emit=("vjp",)))
    assert "cells[k].flux -= q" in text and "cells[k + 1].flux += q" in text
    assert "cells[i].u ** 2" in text and "Cell(" not in text.partition("reverse sweep")[0].partition("forward sweep")[2]
    source = OBJECTS_IN_LISTS.replace("        self.flux = 0.0\n", "").replace("    exchange(cells, c)\n", "")
    text = differentiate(source, Request("model.py", ("f",), wrt=("u",), emit=("vjp",)))
    assert "def _energy_Cell(cells: list[Cell]):\n" in text
    assert '"""energy with cells a list of Cell objects."""' in text


PLACES = """
import itertools

import numpy as np


# s2s: A (n, m), k ()
def f(A, k):
    B = np.zeros_like(A)
    for i, j in np.ndindex(A.shape):
        B[i, j] = A[i, j] ** 2 * k
    n, m = A.shape
    for p in itertools.product(range(n), range(m - 1)):
        B[p] += A[p] ** 2
    for h, w in [(0.5, 2.0), (1.5, 3.0)]:
        B = B * h + w * A
    return np.sum(B**3)
"""


def test_loops_over_items_go_backwards_over_these() -> None:
    text = differentiate(PLACES, Request("model.py", ("f",), emit=("vjp",)))
    assert "    for i, j in np.ndindex(A.shape):\n" in text
    assert "    for i, j in reversed(list(np.ndindex(A.shape))):\n" in text
    assert "    for p in reversed(list(itertools.product(range(n), range(m - 1)))):\n" in text
    assert "    for h, w in reversed(items" in text
    assert "A_bar[i, j] += 2.0 * A[i, j] * k * B_bar[i, j]\n" in text
    assert "add.at" not in text and "_names_once" not in text and "reversed(range" not in text


def test_places_are_computed_again() -> None:
    """A tuple of whole numbers is no list that others may have changed."""
    source = "import numpy as np\n\n\n# s2s: A (n, m), k ()\ndef f(A, k):\n    s = 0.0\n    n, m = A.shape\n"
    source += (
        "    for i in range(n):\n        for j in range(m):\n            p = (i, j)\n            s += A[p] ** 2 * k\n"
    )
    text = differentiate(source + "    return s\n", Request("model.py", ("f",), emit=("vjp",)))
    assert "p_saved" not in text and "            A_bar[p] += 2.0 * A[p] * k * s_bar\n" in text


CONSTRUCTED = """
import numpy as np


class Grid:
    def __init__(self, u):
        self.u = u
        self.inner = u[1:-1]

    def step(self, k):
        self.inner += k * self.u[2:] * self.u[:-2]


# s2s: x (n,), k ()
def f(x, k):
    g = Grid(x * 1.0)
    g.step(k)
    return np.sum(g.u**2)
"""


def test_what_a_constructor_is_given_has_the_name_of_the_attribute() -> None:
    text = differentiate(CONSTRUCTED, Request("model.py", ("f",), emit=("vjp",)))
    assert "    g_u = x * 1.0\n    g_inner = g_u[1:-1]\n" in text


def test_numbers_that_are_put_into_the_text_of_a_helper_are_calculated() -> None:
    source = Path(__file__).with_name("structure_models.py").read_text()
    source = source.partition("and writes into what it is given")[2].split('"""')[1]
    text = differentiate(source, Request("model.py", ("f",), emit=("jvp",)))
    assert "        if r[2] > 0.9:\n" in text and "r[2] = r[1] * t\n" in text


SHRINKING = """
import numpy as np


def f(v, p: float, q: float, n: int):
    v = np.maximum(p * np.arange(n + 1) - 1.0, 0)
    for _ in range(n):
        v = q * (p * v[1:] + (1 - p) * v[:-1])
    return v[0]
"""


def test_what_one_statement_makes_of_an_array_that_shrinks_has_its_lengths() -> None:
    text = differentiate(SHRINKING.replace("v, p", "p"), Request("model.py", ("f",), emit=("value_and_grad",)))
    assert "        v_bar[1:] += p * q * g_bar\n" in text and "_unbroadcast" not in text


PATHS = """
import numpy as np


def f(s: float, Z):
    S = s * np.ones(Z.shape[0])
    total = np.zeros(Z.shape[0])
    for t in range(Z.shape[1]):
        S = S * Z[:, t]
        total += S
    return np.sum(total**2)
"""


def test_an_update_in_place_leaves_an_array_its_shape() -> None:
    text = differentiate(PATHS, Request("model.py", ("f",), emit=("value_and_grad",)))
    assert "total_saved" not in text and "total_bar = _unbroadcast" not in text


HEAT = """
import numpy as np


def f(u0, k: float, n: int):
    u = u0.copy()
    for _ in range(n):
        un = u.copy()
        u[1:-1] = un[1:-1] + k * (un[2:] - 2 * un[1:-1] + un[:-2])
    return u
"""


def test_what_is_made_of_floats_that_are_asserted_is_of_floats() -> None:
    text = differentiate(HEAT, Request("model.py", ("f",), emit=("vjp",)))
    assert '    assert np.asarray(u0).dtype.kind == "f"\n' in text
    assert "        un_bar = np.zeros_like(un)\n" in text


def test_zeros_of_what_may_be_a_number_are_one() -> None:
    """The sums of an array of rank 0 take ten times as long as those of a number."""
    source = "def f(x, k, n):\n    for _ in range(n):\n        x = x * k\n    return x\n"
    text = differentiate(source, Request("model.py", ("f",), emit=("vjp",)))
    assert "    k_bar = 0.0 * np.ones_like(k)\n" in text


OF_RATES = """
def step(state, p, dt):
    return {"x": state["x"] + dt * state["v"], "v": state["v"] - dt * p["k"] * state["x"]}


def f(x: float, p: dict[str, float], dt: float, n: int):
    state = {"x": x, "v": 0.0}
    for _ in range(n):
        state = step(state, p, dt)
    return state["x"]
"""


def test_entries_that_an_annotation_says_to_be_numbers_are_so_in_helpers() -> None:
    text = differentiate(OF_RATES, Request("model.py", ("f",), emit=("value_and_grad",)))
    assert '    state_bar = {"x": 0.0, "v": 0.0}\n' in text and "_unbroadcast" not in text and "np.sum" not in text


CALL_PRICE = """
import math


def norm_cdf(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


def f(S, K, T, r, sigma):
    d1 = (math.log(S / K) + (r + 0.5 * sigma**2) * T) / (sigma * math.sqrt(T))
    return S * norm_cdf(d1) - K * math.exp(-r * T) * norm_cdf(d1 - sigma * math.sqrt(T))
"""


def test_what_a_helper_hands_to_functions_of_math_is_a_number() -> None:
    text = differentiate(CALL_PRICE, Request("model.py", ("f",), emit=("value_and_grad",)))
    assert "np." not in text and "r_bar += T * num_bar\n" in text


PENDULUM = """
import math


def rates(y, b, c):
    theta, omega = y
    return [omega, -b * omega - c * math.sin(theta)]


def f(y: list[float], b: float, c: float, h: float, n: int):
    for _ in range(n):
        dy = rates(y, b, c)
        y = [y[0] + h * dy[0], y[1] + h * dy[1]]
    return y[0]
"""


def test_cotangents_of_lists_of_numbers_are_displayed() -> None:
    text = differentiate(PENDULUM, Request("model.py", ("f",), emit=("value_and_grad",)))
    assert "        dy_bar = [h * y_bar[0], h * y_bar[1]]\n" in text
    assert "    y_bar = [theta_bar, omega_bar]\n" in text


def test_an_array_that_is_made_here_is_returned_with_its_tangent() -> None:
    text = differentiate(HEAT, Request("model.py", ("f",), emit=("jvp",)))
    assert "    return u, u_dot\n" in text


def test_what_the_forward_sweep_has_computed_is_read_behind_the_assertion_of_the_seed() -> None:
    text = "def f(q, x, k):\n    p = x @ k\n    return np.sum(q * np.cos(p)) * np.sum(q * np.sin(p))\n"
    text = differentiate(HEAT.split("def ")[0] + text, Request("model.py", ("f",), emit=("vjp",)))
    assert text.count("np.cos(p)") == text.count("np.sin(p)") == 2  # in the mark of the adjoint, too


def test_nothing_is_saved_of_an_array_that_rounds_add_to() -> None:
    text = "# s2s: img (h, w), k (3, 3)\ndef f(img, k):\n    h, w = img.shape\n    out = np.zeros((h - 2, w - 2))\n"
    text += "    for i in range(3):\n        out += k[i, 0] * img[i : i + h - 2, : w - 2]\n    return out\n"
    text = differentiate(HEAT.split("def ")[0] + text, Request("model.py", ("f",), emit=("vjp",)))
    assert "out_saved" not in text and "out_bar = _unbroadcast" not in text


def test_what_a_round_computes_is_saved_in_its_order() -> None:
    text = "def f(x, w, n: int):\n    for i in range(n):\n        z = np.sin(w[i] * x)\n        b = np.exp(z)\n"
    text += "        a = np.sin(b)\n        x = x + z * b * a\n    return x\n"
    text = differentiate(HEAT.split("def ")[0] + text, Request("model.py", ("f",), emit=("vjp",)))
    saved = [line.split("_saved")[0].strip() for line in text.splitlines() if "_saved.append(" in line]
    assert saved == ["x", "z", "b", "a"]
