from functools import cached_property


class Model:
    def __init__(self, a):
        self.a = a

    @cached_property
    def square(self):
        return self.a * self.a


# s2s: x (n,), y (n,)
def moved(x, y):
    model = Model(x * y)
    before = model.square
    b = model.a
    b += y
    return before.sum() * model.square.sum()
