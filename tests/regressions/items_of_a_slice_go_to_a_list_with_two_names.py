"""`for i, g in enumerate(s_bar)`: s_bar was put off as it is read once, but not put into the loop: no name, or another."""


def f(x: float, y: float, n: int) -> float:
    q = [x, y]
    r = 0.0
    for _ in range(n):
        b = [v for v in q]
        d = b
        d[-1] = d[-1] * x
        b = [v * y for v in q]
        b[:1] = d[1:]
        r = r + b[0] * b[1] + d[0]
        q = [b[1], d[1]]
    return r + q[0]


ARGS = (1.3, 0.7, 2)
WRT = ("x", "y")
SCALAR = True
