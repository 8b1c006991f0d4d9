class Spring:
    def __init__(self, k):
        self.k = k
        self.half = 0.5 * k

    def soften(self, c):
        self.half = self.half * c


def f(k, x):
    first = Spring(k)
    spring = first if x > 0.5 else Spring(2.0 * k)
    spring.soften(x)  # may be the first one, or not
    return first.half * spring.half
