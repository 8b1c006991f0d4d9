"""`keep_bar = [x for _ in keep]` holds x itself: `q_bar = keep_bar[t]; q_bar += s_bar` wrote into an x of rank 0."""


def f(x: float, y: float) -> float:
    items = [x, y]
    keep = []
    s = 0.0
    for q in items:
        s = q
        keep.append(q)
    return s + sum(keep) * x


ARGS = (1.3, 0.7)
WRT = ("x", "y")
SCALAR = True
