"""Bodies in a plane that attract one another: objects in a list, whose attributes change in each step."""


class Body:
    def __init__(self, x, y, mass):
        self.x = x
        self.y = y
        self.u = 0.0
        self.v = 0.0
        self.mass = mass

    def kick(self, other, h):
        dx = other.x - self.x
        dy = other.y - self.y
        pull = other.mass / (dx**2 + dy**2 + 0.01) ** 1.5
        self.u += h * pull * dx
        self.v += h * pull * dy

    def drift(self, h):
        self.x += h * self.u
        self.y += h * self.v


class Cluster:
    def __init__(self, x, y, mass):
        self.bodies = [Body(a, b, m) for a, b, m in zip(x, y, mass)]

    def step(self, h):
        for body in self.bodies:
            for other in self.bodies:
                if other is not body:
                    body.kick(other, h)
        for body in self.bodies:
            body.drift(h)


# s2s: x (k,), y (k,), mass (k,) wrt=x,y,mass
def spread(x, y, mass, n: int, h: float):
    """Sum of the squared distances from the origin after n steps of length h."""
    cluster = Cluster(x, y, mass)
    for _ in range(n):
        cluster.step(h)
    return sum(b.x**2 + b.y**2 for b in cluster.bodies)
