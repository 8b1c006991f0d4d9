class Beam:
    def __init__(self, length, load=2.0):
        self.length = 2.0 * length
        self.load = load


def moment(x):
    beam = Beam(x)
    other = Beam(beam.length, x**2)
    return other.length * other.load


# s2s verify S204_replaced_rewritten.py::moment --at "x=0.7"
