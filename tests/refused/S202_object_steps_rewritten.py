class Body:
    def __init__(self, pos, vel):
        self.pos = pos
        self.vel = vel

    def fall(self, h):
        for k in range(100):
            self.vel = self.vel - h
            self.pos = self.pos + h * self.vel
            if self.pos < 0.0 or self.vel < -9.0:
                break


def final(x):
    body = Body(x, 0.0)
    body.fall(0.1)
    return body.pos


# s2s verify S202_object_steps_rewritten.py::final --at "x=0.7"
