class Path:
    def __init__(self, gain, steps):
        self.gain = gain
        self.steps = steps


def walk(p, n, t):
    if n == 0:
        return p.gain * t
    return walk(Path(p.gain, p.steps * t), n - 1, t * p.gain)


def loss(x, t):
    return walk(Path(x, t), 3, t)


# s2s verify S236_nested_by_itself_rewritten.py::loss --at "x=0.7, t=1.3"
