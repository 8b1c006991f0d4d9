"""Seeds that are arrays of rank 0: the items of a list of them are the caller's."""


def f(y: float, z: float):
    p = y
    r = 2.0
    try:
        if z > 0.0:
            return (y + p, r * p, y)
    except ValueError:
        pass
    try:
        return (p, y * p, y + p)
    except ValueError:
        pass


ARGS = (0.3, 0.4)
SCALAR = False
