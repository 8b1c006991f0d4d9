class Meter:
    def __init__(self, total):
        self.total = total
        self.seen = []

    def add(self, u):
        self.total = self.total + u
        self.seen.append(u)
        return self.total * u


def readings(x, start):
    meter = Meter(start)
    result = 0.0
    for u in x:
        if u > 0.5:
            reading = meter.add(u)
            result = result + reading
    return result


# s2s verify S202_method_in_a_comprehension_rewritten.py::readings --at "x=np.array([0.4, 0.9, 1.3]), start=0.5"
