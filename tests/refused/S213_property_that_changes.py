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
    d = {"q": counter.step * x, **_extra(counter, x)}  # extra sees what step has changed
    return d["q"] * d["c"]
