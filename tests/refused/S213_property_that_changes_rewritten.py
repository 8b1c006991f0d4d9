class Counter:
    def __init__(self, n):
        self.n = n

    @property
    def step(self):
        self.n = self.n * 2.0
        return self.n


def _extra(counter, x):
    return {"c": x**2 * counter.n, "a": x}


def f(x):
    counter = Counter(x)
    q = counter.step * x
    more = _extra(counter, x)
    d = {"q": q, "c": more["c"], "a": more["a"]}
    return d["q"] * d["c"]


# s2s verify S213_property_that_changes_rewritten.py::f --at "x=0.7"
