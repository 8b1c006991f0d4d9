"""The adjoint of L at the head of a round was as long as L behind its append: the checker stopped it (I3)."""


def f(M: list[float], a: float, n: int) -> float:
    L = [v for v in M]
    q = a * a
    for _ in range(n):
        L.append(q)
        L = [a]
    return L[0]


ARGS = ([1.0, 0.5], 0.4, 3)
WRT = ("M", "a")
SCALAR = True
