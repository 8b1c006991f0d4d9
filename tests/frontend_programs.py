"""Small programs of every construct that the frontend reads, and bodies with every pattern of exits.

Each program: its text, with a function `f`, and the arguments of some runs. The bodies of EXITS stand in a function of
s and n.
"""

from __future__ import annotations

from typing import Any

import numpy as np

X = np.array([0.5, -1.25, 2.0, 3.5])
A = np.arange(12.0).reshape(3, 4) / 7.0

Case = tuple[str, list[tuple[Any, ...]]]


PROGRAMS: dict[str, Case] = {
    "straight line": (
        """
        def f(x, y):
            return -x * y + x**2 / (1.0 + y) - 3 * (x - -y)
        """,
        [(2.0, 3.0), (X, 2.0)],
    ),
    "power and sign": (
        """
        def f(x):
            return -(x**2) + (-2.0)**2 - 2.0**-x + (-x)**2 + x**-1
        """,
        [(1.5,)],
    ),
    "operators": (
        """
        def f(a, b):
            return (a // b, a % b, a << 2, a >> 1, a & b, a | b, a ^ b, ~a, +a, not a, a @ np.eye(1) if b < 0 else 0)
        """,
        [(13, 5), (7, 2)],
    ),
    "matmul": (
        """
        def f(x):
            return (x.T @ x).sum(axis=0) @ x.T
        """,
        [(A,)],
    ),
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
        """
        G = 9.81
        TWO = 2.0
        HALF = 1 / TWO

        def f(x):
            return G * x * np.pi + math.pi * HALF - math.e + np.inf * 0.0 + sin(x)
        """,
        [(2.0,)],
    ),
    "keys": (
        """
        def f(x, i):
            n = len(x)
            a = x[0] + x[-1] + x[i + 1] + x[n - 1] + x[1:3].sum() + x[::-1][0]
            b = x[:, None][1, 0] + x[..., np.newaxis][2, 0] + x[[0, 0, 2]].sum() + x[x > 0].sum() + x[np.argmax(x)]
            return a + b + x[i:][0] + x[(1,)] + x[np.array([True, False, True, False])][1]
        """,
        [(X, 1)],
    ),
    "swap": (
        """
        def f(a, b):
            a, b = b, a
            return a - 2 * b
        """,
        [(1.0, 5.0)],
    ),
    "rotate": (
        """
        def f(a, b, c):
            a, b, c = b + c, a, a * b
            return (a, b, c)
        """,
        [(1.0, 5.0, 7.0)],
    ),
    "fibonacci": (
        """
        def f(a, n):
            b = 1.0
            for _ in range(n):
                a, b = b, a + b
            return a, b
        """,
        [(0.5, 7), (0.5, 0)],
    ),
    "nested swap": (
        """
        def f(a, b, c):
            (a, (b, c)) = (c, (a, b))
            return [a, b, c]
        """,
        [(1, 2, 3)],
    ),
    "starred literal": (
        """
        def f(a, b, c):
            first, *rest, last = a, b, c, a + b
            return first, rest, last
        """,
        [(1, 2, 3)],
    ),
    "starred value": (
        """
        def f(x):
            a, *b = x
            *c, d = x
            return a, b, c, d
        """,
        [([1.0, 2.0, 3.0],)],
    ),
    "unpack nested": (
        """
        def f(p):
            (a, b), c = p
            return a + 2 * b + 3 * c
        """,
        [(((1, 2), 3),)],
    ),
    "unpack shape": (
        """
        def f(x):
            n, d = x.shape
            return n + 10 * d
        """,
        [(A,)],
    ),
    "unpack helper": (
        """
        def g(x, y=2.0):
            return x + y, x * y

        def f(x):
            a, b = g(x, y=x * 3)
            c, d = g(x)
            return a * b + c * d
        """,
        [(1.5,)],
    ),
    "unpack slogdet": (
        """
        def f(x):
            sign, ld = np.linalg.slogdet(x @ x.T + np.eye(3))
            return sign * ld
        """,
        [(A,)],
    ),
    "chained": (
        """
        def f(x):
            a = b = x + 1
            c = d = 2.0
            (u, v) = w = x, a
            return a, b, c, d, u, v, w
        """,
        [(3.0,)],
    ),
    "chained self": (
        """
        def f(x):
            y = x = x * 2
            x = y = x + y
            return x, y
        """,
        [(3.0,)],
    ),
    "annotated": (
        """
        def f(x: float, n: int = 3) -> float:
            y: float = x * n
            z: float
            z = y
            return z
        """,
        [(3.0,), (1.0, 2)],
    ),
    "augmented": (
        """
        def f(x, n):
            s = 0.0
            for i in range(n):
                s += x * i
                s -= 1
                s *= 1.5
                s /= 2
            s **= 2
            return s
        """,
        [(3.0, 4)],
    ),
    "if else": (
        """
        def f(x):
            if x > 1:
                y = x * 2
            elif x > 0:
                y = x * 3
            else:
                y = -x
            return y + 1
        """,
        [(2.0,), (0.5,), (-3.0,)],
    ),
    "compare chain": (
        """
        def f(x):
            if 0 < x <= 1 != 3:
                return 1
            return (0 < x < 2) + (x == x)
        """,
        [(0.5,), (1.5,), (5.0,)],
    ),
    "and or": (
        """
        def f(x, y):
            a = x or y
            b = x and y + 1
            c = x and y or 7
            d = x > 0 and y > 0 or not x
            return a, b, c, d
        """,
        [(0, 2), (1, 0), (1, 3), (0, 0)],
    ),
    "short circuit": (
        """
        def f(x, y):
            return x and 1 / x > y and y or x * y
        """,
        [(0, 2), (1, 0), (2, 3)],
    ),
    "default": (
        """
        def f(x, y=None):
            y = y or 2.0
            if y is None:
                y = x
            return x * y
        """,
        [(3.0,), (3.0, 0), (3.0, 5.0)],
    ),
    "is None": (
        """
        def f(x, y=None):
            if y is None:
                y = x * 2
            return x * y
        """,
        [(3.0,), (3.0, 5.0)],
    ),
    "ifexp": (
        """
        def f(x, y):
            a = x if x > y else y
            b = x * 2 if x > y else y - 1 if y > 3 else 0.5
            c = x + (x**2 if x > 0 else -x) * 3
            return a, b, c
        """,
        [(1.0, 2.0), (2.0, 1.0), (-1.0, 5.0)],
    ),
    "return ifexp": (
        """
        def f(x):
            return x * 2 if x > 0 else x**2 if x < -1 else 0.0
        """,
        [(1.0,), (-0.5,), (-3.0,)],
    ),
    "ifexp reads target": (
        """
        def f(x, c):
            x = x * 2 if c else x + [1, 2][int(x > 0)]
            return x
        """,
        [(1.0, 0), (1.0, 1)],
    ),
    "tuple ifexp": (
        """
        def f(x, y):
            a, b = (x, y) if x < y else (y, x)
            return a - 3 * b
        """,
        [(1.0, 2.0), (2.0, 1.0)],
    ),
    "walrus": (
        """
        def f(x):
            if (y := x * 2) > 3:
                return y
            return (z := y + 1) * z
        """,
        [(1.0,), (2.0,)],
    ),
    "walrus while": (
        """
        def f(x):
            n = 0
            while (x := x / 2) > 0.1:
                n += 1
                if n > 5:
                    break
            return x, n
        """,
        [(1.0,), (100.0,)],
    ),
    "walrus in or": (
        """
        def f(x):
            if x > 3 or (y := x + 1) > 2:
                y = 5.0
            return y
        """,
        [(1.5,), (5.0,), (0.5,)],
    ),
    "walrus comprehension": (
        """
        def f(x):
            return [y * 2 for v in x if (y := v**2) > 1.0]
        """,
        [(X,)],
    ),
    "while": (
        """
        def f(x):
            n = 0
            while x > 1.0 and n < 20:
                x = x / 2
                n += 1
            return x, n
        """,
        [(100.0,), (0.5,)],
    ),
    "while true": (
        """
        def f(x):
            while True:
                x = x / 2
                if x < 1:
                    break
            return x
        """,
        [(100.0,)],
    ),
    "while true return": (
        """
        def f(x):
            while True:
                x = x / 2
                if x < 1:
                    return x
                if x > 40:
                    return -x
        """,
        [(100.0,), (30.0,)],
    ),
    "for array": (
        """
        def f(x):
            s = 0
            for v in x:
                s = s + v**2
            return s, v
        """,
        [(X,)],
    ),
    "for zip": (
        """
        def f(x, y):
            s = 0
            for i, (a, b) in enumerate(zip(x, y[1:])):
                s += i * a * b
            for k, v in enumerate(x, 1):
                s += k * v
            return s
        """,
        [(X, X)],
    ),
    "for reversed": (
        """
        def f(x):
            s = 0
            for v in reversed(x):
                s = s * 2 + v
            for i in reversed(range(3)):
                s = s * 3 + i
            return s
        """,
        [(X,)],
    ),
    "for literal": (
        """
        def f(x):
            s = 0
            for c in (1.0, 2.5, x):
                s = s + c * x
            for w in [x, x + 1]:
                s *= w
            return s
        """,
        [(2.0,)],
    ),
    "for expression": (
        """
        def f(x):
            s = 0
            for v in x[1:] * 2:
                s = s + v
            for r in np.arange(3):
                s += r
            return s
        """,
        [(X,)],
    ),
    "for range forms": (
        """
        def f(x, n):
            s = 0
            for i in range(1, 2 * n, 2):
                s += i * x
            for j in range(n, 0, -1):
                s = s * 2 + j
            for k in range(len([1, 2])):
                s += k
            return s
        """,
        [(2.0, 4), (1.0, 0)],
    ),
    "bound rebound": (
        """
        def f(n):
            s = 0
            for i in range(n):
                n = n - 1
                s += n * i
            return s, n
        """,
        [(5,)],
    ),
    "loop over itself": (
        """
        def f(x):
            for x in x:
                y = x
            return x, y
        """,
        [(X,)],
    ),
    "loop variable as bound": (
        """
        def f(i):
            s = 0
            for i in range(i):
                s += i
            for j in range(i, 10):
                i = j
            return s, i
        """,
        [(5,)],
    ),
    "loop over growing length": (
        """
        def f(n):
            L = [1.0]
            for i in range(len(L) + n):
                L.append(L[i] * 2)
            return L
        """,
        [(4,)],
    ),
    "history": (
        """
        def f(x, n):
            h = [x]
            for i in range(n):
                h.append(h[-1] * 0.5 + i)
            return np.array(h)
        """,
        [(2.0, 4), (2.0, 0)],
    ),
    "list plus": (
        """
        def f(x):
            L = [x]
            L += [x * 2, x + 1]
            L = L + [x * 3]
            M = [x] * 3 + L
            Z = [0.0] * len(M)
            W = (1, 2) * 2
            return L, M, Z, W
        """,
        [(2.0,)],
    ),
    "comprehension": (
        """
        def f(x):
            return sum([v * 2 for v in x if v > 0]) + [v**2 for v in x][1]
        """,
        [(X,)],
    ),
    "comprehension names": (
        """
        def f(x, i):
            a = [i * v for i, v in enumerate(x)]
            i = i + 1
            b = [i + j for j in range(3)]
            return a, b, i
        """,
        [(X, 10)],
    ),
    "comprehension self": (
        """
        def f(x):
            x = [v * 2 for v in x]
            x = [x[i] - x[0] for i in range(len(x))]
            return x
        """,
        [(X,)],
    ),
    "comprehension nested": (
        """
        def f(x, n):
            return [[v * i for v in x] for i in range(n)], [a * b for a in x for b in x if a < b]
        """,
        [(X, 3)],
    ),
    "comprehension shadow": (
        """
        def f(n):
            return [[i for i in range(i)] for i in range(n)]
        """,
        [(4,)],
    ),
    "comprehension in loop": (
        """
        def f(x, n):
            s = 0.0
            for i in range(n):
                w = [v * i for v in x]
                s = s + sum(w) * sum(v for v in w if v > 1)
            return s
        """,
        [(X, 3)],
    ),
    "comprehension constants": (
        """
        def f(n):
            z = [0.0 for _ in range(n)]
            q = [i * i for i in range(n) if i % 2]
            return z, q, {i: i + 1 for i in range(2)}
        """,
        [(4,)],
    ),
    "generator sums": (
        """
        def f(x, y):
            s = sum(a * b for a, b in zip(x, y))
            return s + sum((v for v in x), 10.0) + sum(1 for v in x if v > 0) + sum([x[0], y[1], 3.0])
        """,
        [(X, X)],
    ),
    "generator sum self": (
        """
        def f(x, s):
            s = sum(s * v for v in x)
            return s
        """,
        [(X, 2.0)],
    ),
    "any all": (
        """
        def f(x):
            if any(v > 3 for v in x) and all(v < 9 for v in x):
                return max(v * 2 for v in x)
            ok = all(v == v for v in x)
            return min([abs(v) for v in x]), ok
        """,
        [(X,), (X * 0.1,)],
    ),
    "list of generator": (
        """
        def f(x):
            a = list(v + 1 for v in x)
            b = tuple(v * 2 for v in a)
            return a, b, sorted(a), list(zip(a, b)), np.array([v for v in x]).sum()
        """,
        [(X,)],
    ),
    "dict parameter": (
        """
        def f(p, x):
            h = np.tanh(x @ p["W"] + p['b'])
            n = len(p)
            return h.sum() * n if "b" in p else h
        """,
        [({"W": A.T, "b": np.ones(3)}, X)],
    ),
    "dict nested": (
        """
        def f(p):
            return p["a"]["w"] * p["b"]
        """,
        [({"a": {"w": 2.0}, "b": 3.0},)],
    ),
    "dict whole": (
        """
        def g(p, x):
            return p["w"] * x

        def f(p, x):
            return g(p, x) + p["w"]
        """,
        [({"w": 2.0}, 3.0)],
    ),
    "local dict": (
        """
        def f(x):
            d = {"a": x * 2, "b": 1.0}
            d["a"] += d["b"]
            d["c"] = d["a"] * x
            return d["a"] + d["c"]
        """,
        [(3.0,)],
    ),
    "returned dict": (
        """
        def f(x):
            out = {"a": x * 2, "b": [x, x + 1]}
            return out
        """,
        [(3.0,)],
    ),
    "dict of keywords": (
        """
        def f(x):
            d = dict(a=x * 2, b=[x, x + 1])
            return d, d["a"]
        """,
        [(3.0,)],
    ),
    "attribute in a test": (
        """
        def f(s, x):
            if s.start > 1 and x.dtype.kind == "f":
                return x * 2
            return x
        """,
        [(slice(2, 3), X), (slice(0, 3), X)],
    ),
    "returned structures": (
        """
        def f(x):
            return {"loss": x * 2, "parts": (x, [x**2, 1])}, (x + 1,), []
        """,
        [(3.0,)],
    ),
    "helper in test": (
        """
        def g(x):
            return x > 2

        def f(x):
            while not g(x):
                x = x + 1
            if g(x) and x < 5:
                x = -x
            return x
        """,
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
        """
        def f(x, mode='a'):
            s = 'x' 'y' + mode
            if mode == "a":
                return x
            elif mode in ('b', 'c'):
                return '%s %d' % (mode, 3) + s + "{}".format(x) + ','.join(str(i) for i in range(3))
            return x * 2
        """,
        [(1.0,), (1.0, "b"), (1.0, "z")],
    ),
    "docstring and pass": (
        '''
        def f(x):
            """Doc.

            More.
            """
            if x > 0:
                pass
            else:
                x = -x
            ...
            "a text"
            return x
        ''',
        [(1.0,), (-2.0,)],
    ),
    "parameters": (
        """
        def f(a, /, b, *, c=2.0, d: float = 3.0):
            return a + 2 * b + 3 * c + 4 * d
        """,
        [(1.0, 2.0)],
    ),
    "positional only": (
        """
        def f(a, b=4.0, /):
            return a + b
        """,
        [(1.0,)],
    ),
    "no return": (
        """
        def f(x):
            y = x
        """,
        [(1.0,)],
    ),
    "bare return": (
        """
        def f(x):
            if x > 0:
                return
            return x
        """,
        [(1.0,), (-1.0,)],
    ),
    "import inside": (
        """
        def f(x):
            import numpy.linalg as la
            from math import cos as c
            return la.norm(x) + c(x[0])
        """,
        [(X,)],
    ),
    "newaxis name": (
        """
        from numpy import newaxis, sum as total

        def f(x):
            return total(x[newaxis, :] * x[:, newaxis])
        """,
        [(X,)],
    ),
    "isinstance": (
        """
        def f(x):
            if isinstance(x, (int, float)):
                x = np.array([x, 1.0])
            if isinstance(x, list):
                x = np.array(x)
            return x.sum()
        """,
        [(2.0,), ([1.0, 2.0],), (X,)],
    ),
    "multi-line": (
        """
        def f(x,
              y):
            z = (x +  # first
                 y,
                 )
            return (
                z[0]
                * 2
            )
        """,
        [(1.0, 2.0)],
    ),
    "semicolons": (
        """
        def f(x): y = x * 2; z = y + 1; return z
        """,
        [(1.0,)],
    ),
    "one-line branches": (
        """
        def f(x):
            if x > 0: y = x; z = 2
            else: y = -x; z = 3
            return y * z
        """,
        [(1.0,), (-1.0,)],
    ),
    "lambda as a key": (
        """
        def f(x):
            if sorted([1, 2], key=lambda v: -v)[0] == 2:
                return x
            return -x
        """,
        [(1.0,)],
    ),
    "finfo": (
        """
        def f(x):
            return x + np.finfo(float).eps * 1e10 + np.finfo(np.float64).max * 0
        """,
        [(1.0,)],
    ),
    "empty branches": (
        """
        def f(x):
            for i in range(3):
                if x > 1:
                    continue
                else:
                    x = x + 1
            return x
        """,
        [(0.0,), (5.0,)],
    ),
    "complex constants": (
        """
        def f(x):
            return (x * 1j).imag + (x + 0j).real - -3.5 + 0x10 + 1_000
        """,
        [(2.0,)],
    ),
    "ellipsis key": (
        """
        def f(x):
            return x[..., 0] + x[:, -1]
        """,
        [(A,)],
    ),
    "index of call": (
        """
        def f(x):
            return np.where(x > 0)[0][0] + np.sort(x)[1] + (x, 2 * x)[1][0]
        """,
        [(X,)],
    ),
    "where": (
        """
        def f(x):
            m = (x > 0) & (x < 3) | ~(x != 2)
            return np.where(m, x, -x).sum() + np.where((x > 1), 1.0, x * 2)[0]
        """,
        [(X,)],
    ),
    "stack": (
        """
        def f(x, y):
            a = np.stack([x, y * 2]).sum(axis=0) + np.concatenate((x[:2], y[2:]))
            return a + np.array([[x[0] * 2, 1.0], [y[1], 2.0]]).sum()
        """,
        [(X, X)],
    ),
    "starred display": (
        """
        def f(x, y):
            return [*x, y], (*x, *x)
        """,
        [([1, 2], 3)],
    ),
    "augmented walrus": (
        """
        def f(x):
            s = 1.0
            s += (t := x * 2)
            return s * t
        """,
        [(2.0,)],
    ),
    "del free names": (
        """
        t1 = 3.0
        t3_bar = 4.0

        def f(x, t2):
            return (x * 2 + t1) * (t2 - 1) * t3_bar
        """,
        [(2.0, 5.0)],
    ),
    "for else": (
        """
        def f(x, n):
            s = 0.0
            for v in x:
                if v > n:
                    s = s + v * v
                    break
                s = s + v
            else:
                s = s * s
            for v in x:
                s = s + v
            else:
                s = s + 1.0
            return s
        """,
        [(X, 1.0), (X, 3.0), (X, 9.0), (X[:0], 1.0)],
    ),
    "while else": (
        """
        def f(x, n):
            k = 0
            while k < n:
                k = k + 1
                x = x * x + 0.1
                if x > 2.0:
                    break
            else:
                x = 3.0 * x
            while (k := k - 1) > 0:
                if k == 7:
                    break
                x = x - 0.1 * x * k
            else:
                return x * x
            return x
        """,
        [(1.5, 3), (0.5, 3), (0.5, 0), (0.5, 9)],
    ),
    "for else in a loop": (
        """
        def f(x, n):
            s = 0.0
            for i in range(n):
                for v in x:
                    if v * i > 2.0:
                        s = s + v**2
                        break
                    if v * i > 1.5:
                        return s * v
                else:
                    if i == 2:
                        continue
                    s = s * 2.0 + x[0]
                    if s > 3.0:
                        break
                s = s + 1.0
            return s
        """,
        [(X, 0), (X, 1), (X, 2), (X, 4), (X / 4, 5)],
    ),
    "match values": (
        """
        MODES = 3

        def f(x, mode, n=0):
            match mode:
                case "sin":
                    y = np.sin(x)
                case "cos" | "cosine" if n > 0:
                    y = np.cos(x)
                case None:
                    return x
                case -1 | True:
                    y = -x
                case float():
                    y = x * mode
                case int(k):
                    y = x**k
                case other:
                    y = 2.0 * x * len(other)
            return y * x
        """,
        [(0.5, m, n) for m in ("sin", "cos", "cosine", "what", None, -1, 1, True, 2.5, 3) for n in (0, 1)],
    ),
    "match sequences": (
        """
        def f(x, p, q):
            match p:
                case (a, b):
                    y = x * a + b
                case [a, b, *rest] if a > 1:
                    y = x * a * b * len(rest)
                case [a, *_, (c, d)]:
                    y = x * a - c * d
                case []:
                    y = x
                case _:
                    y = x * x
            match y > 0, q:
                case (True, 1):
                    y = y * x
                case (False, n) if n > 1:
                    y = y + n
                case _, (v, w):
                    y = v * y + w
            return y
        """,
        [(0.5, p, q) for p in ((1, 2), [2, 1, 4], (0, 1, (2, 3)), (), "no", 7) for q in (1, 2, (3, 4))],
    ),
    "try": (
        """
        def f(x, y):
            try:
                z = math.log(x)
                w = x / y
            except ValueError:
                w = 2.0
            else:
                w = w * x
            finally:
                w = w + 1.0 if y > 0 else 1.0
            return w * x
        """,
        [(1.5, 2.0), (1.5, -2.0)],
    ),
    "try with exits": (
        """
        def f(x, n):
            s = x
            for i in range(n):
                try:
                    if i == 3:
                        continue
                    if s > 3.0:
                        break
                    if i == 5:
                        return s * x
                    s = s * x
                except ZeroDivisionError:
                    return 0.0
                finally:
                    s = s + 0.5 * x
            return s
        """,
        [(0.5, n) for n in range(8)] + [(1.5, 8)],
    ),
    "with errstate": (
        """
        import warnings

        def f(x, n):
            s = x
            with np.errstate(divide="ignore"), np.errstate(over="ignore"):
                s = s * s
                for i in range(n):
                    with np.errstate(invalid="ignore"):
                        y = np.log(s) * s
                        s = s + y
                    if i == 2:
                        break
                with warnings.catch_warnings():
                    return s * s + x
        """,
        [(1.5, 0), (1.5, 1), (1.5, 4)],
    ),
    "del and global": (
        """
        SCALE = 2.0

        def f(x, y):
            global SCALE
            z = x * SCALE
            w = z * y
            del z, x
            x = w * w
            return x
        """,
        [(1.5, 2.0)],
    ),
}

EXITS: dict[str, str] = {
    "a constant, then a return": """
        for i in range(n):
            s = 2
            return s
        """,
    "a return in a nested loop": """
        for i in range(n):
            for t in range(1):
                s = s + 3
                return n + s
        """,
    "a constant in one branch of an exit": """
        for i in range(n):
            for j in range(n):
                if i * j > 2:
                    s = 3
                    break
                s = s * 2
                while True:
                    s = s + 1
                    if s > 10:
                        return s
                    if s > 5:
                        break
            n = 4
        """,
    "constants on all paths": """
        if n > 4:
            s = 1
        else:
            for i in range(n):
                if i == 2:
                    s = 7
                    break
                n = 3
            else_ = s
            s = n
            if else_ == 7:
                return 7
            s, n = n, s
        """,
    "break": """
        for i in range(n):
            s += i
            if s > 5:
                break
            s += 1
        """,
    "break else": """
        for i in range(n):
            if s > 5:
                s = -s
                break
            else:
                s += 2
            s += 1
        """,
    "continue": """
        for i in range(n):
            if i % 2:
                continue
            s += i
        """,
    "continue twice": """
        for i in range(n):
            if i == 1:
                continue
            s += i
            if i == 2:
                s *= 2
                continue
            s += 1
        """,
    "continue in else": """
        for i in range(n):
            if i == 1:
                s += 3
            else:
                s += 1
                continue
            s *= 2
        """,
    "continue nested": """
        for i in range(n):
            if i > 0:
                if i > 1:
                    continue
                s += 1
            s += 10
        """,
    "break nested": """
        for i in range(n):
            if i > 0:
                if i > 2:
                    break
                s += 1
            s += 10
        """,
    "both nested": """
        for i in range(n):
            if i > 0:
                if i > 3:
                    break
                elif i == 2:
                    continue
                s += 1
            s += 10
        """,
    "return in loop": """
        for i in range(n):
            s += i
            if s > 4:
                return s * 2
        s = s + 0.5
        """,
    "returns in loop": """
        for i in range(n):
            s += i
            if s > 7:
                return s * 2, i
            if s == 1:
                return i
        s = s + 0.5
        """,
    "return in nested loops": """
        for i in range(n):
            for j in range(i):
                s += j
                if s > 4:
                    return s * 2 + i + j
            s += 1
        s = s + 0.5
        """,
    "all exits in nested loops": """
        for i in range(n):
            for j in range(n):
                if j == 1:
                    continue
                if j > 3:
                    break
                s += i * j
                if s > 20:
                    return s, i, j
            if i == 2:
                continue
            s += 1
            if s > 15:
                break
        s = s + 0.5
        """,
    "three loops": """
        for i in range(n):
            for j in range(i):
                k = 0
                while k < j:
                    k += 1
                    s += 1
                    if s == 6:
                        return k * 100 + s
                    if k == 2:
                        break
                if s > 9:
                    return -s
            if i == 4:
                return s * 1000
        """,
    "two loops": """
        for i in range(n):
            if i == 3:
                return s
            s += i
        for j in range(n):
            if s > 4:
                return s + j * 0.5
            s += 1
        """,
    "early returns": """
        if n == 0:
            return 0.0
        if n == 1:
            s = s + 1
            return s
        elif n == 2:
            s = 7
        else:
            if n == 3:
                return -3
            s = n
        s = s * 2
        """,
    "shared rest": """
        if n > 0:
            if n > 2:
                return s + n
            s = s + 1
        else:
            s = s - 1
        s = s * 3
        """,
    "shared rest twice": """
        if n > 0:
            if n > 3:
                return s + n
            if n > 2:
                s = s + 1
            else:
                if n == 1:
                    return -1
            s += 4
        s = s * 3
        if n == 2:
            return s
        s = s + 1
        """,
    "return in a loop in a branch": """
        if n > 1:
            for i in range(n):
                s += i
                if s > 4:
                    return s * 2
            s = s + 1
        else:
            s = s - 1
        s = s * 3
        """,
    "return in a loop in a branch of a loop": """
        for k in range(n):
            if k % 2:
                for i in range(n):
                    s += i
                    if s > 14:
                        return s * 2, k
                s = s + 1
            else:
                s = s - 1
            s = s * 1.5
        """,
    "raise": """
        if n == 0:
            raise ValueError
        if n == 1:
            s = 5
        else:
            if n == 4:
                raise KeyError(n)
            s = 6
        """,
    "raise else": """
        if n == 0:
            return s
        elif n == 1:
            return -s
        else:
            raise ValueError
        """,
    "raise in loop": """
        for i in range(n):
            if i == 3:
                raise ValueError
            if i == 2 and s > 2:
                return i
            s += i
        """,
    "while true": """
        while True:
            s += 1
            if s > n:
                break
            if s == 3:
                return -s
            if s == 2:
                continue
            s += 1
        """,
    "while true in loop": """
        for i in range(n):
            while True:
                s += i + 1
                if s > 8:
                    return s
                if s % 2:
                    break
            s += 1
        """,
    "while only returns in loop": """
        for i in range(n):
            while True:
                s += i + 1
                if s > 8:
                    return s
        """,
    "dead code": """
        for i in range(n):
            s += i
            break
            s += 100
        if s >= 0:
            return s
            s = 3
        else:
            return -s
        s = 9
        """,
    "loop variable after break": """
        i = -1
        for i in range(n):
            if i == 2:
                break
        s = i
        """,
    "return comprehension in loop": """
        for i in range(n):
            if i == 2:
                return [i * k for k in range(i + s)]
            s += 1
        """,
    "return ifexp in loop": """
        for i in range(n):
            if i == 2:
                return s * 2 if s > 1 else s - 1
            s += i
        """,
    "break in while with else branch": """
        i = 0
        while i < n:
            i += 1
            if i == 2:
                s += 2
            elif i == 4:
                s += 3
                break
            else:
                continue
            s *= 2
        """,
    "flag names taken": """
        skip = 1
        stop = 2
        exit_at = 3
        done = 4
        for i in range(n):
            if i > 0:
                if i > 1:
                    continue
                s += skip
            s += 10
            if s > 30:
                return exit_at + stop + done
        """,
}
