class Box:
    def __init__(self, value):
        self.value = value


def energy(x):
    box = Box(x)
    return box.value**2


# s2s verify S204_class_inside_rewritten.py::energy --at "x=0.7"
