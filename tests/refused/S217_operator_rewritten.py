class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


def length(x, y):
    a = Point(x, y)
    b = a + Point(y, 1.0)
    return b.x**2 + b.y**2


# s2s verify S217_operator_rewritten.py::length --at "x=0.7, y=0.4"
