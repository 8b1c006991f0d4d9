class Body:
    def __init__(self, pos, vel):
        self.pos = pos
        self.vel = vel

    def step(self, h):
        self.pos = self.pos + h * self.vel
        self.vel = self.vel - h * self.pos


def final(x, n: int):
    body = Body(x, 0.0)
    for k in range(n):
        body.step(0.1)
    return body.pos
