class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return self.k * x * x


class Rope(Spring):
    def energy(self, x):
        return self.k * x


def f(x, w):
    rope = Rope(w)
    e = 0.0
    for u in x:
        e = e + rope.energy(w)
        for v in x[1:]:
            s = Spring(v * u)
            e = e + s.energy(w)
    return e


# s2s verify S304_items_of_rows_that_a_loop_exchanges_rewritten.py::f --at "x=np.array([1.1, 0.7, 1.9]), w=0.6"
