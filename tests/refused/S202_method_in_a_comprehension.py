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
    return sum([meter.add(u) if u > 0.5 else 0.0 for u in x])
