class Model:
    def __init__(self, a):
        self.a = a

    @property
    def square(self):
        return self.a * self.a


# s2s: x (n,), y (n,)
def moved(x, y):
    model = Model(x * y)
    before = model.square
    b = model.a
    b += y
    return before.sum() * model.square.sum()


# s2s verify S212_cached_property_of_an_array_rewritten.py::moved --at "x=np.array([0.4, 0.7]), y=np.array([0.3, 0.9])"
