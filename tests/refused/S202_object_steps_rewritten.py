from typing import NamedTuple


class Body(NamedTuple):
    pos: float
    vel: float


def step(b, h):
    pos = b.pos + h * b.vel
    return Body(pos, b.vel - h * pos)


def final(x, n: int):
    body = Body(x, 0.0)
    for k in range(n):
        body = step(body, 0.1)
    return body.pos


# s2s verify S202_object_steps_rewritten.py::final --at "x=0.7, n=4"
