class Rod:
    def __init__(self, length):
        if length > 0.0:
            self.length = length
        else:
            self.length = -length


def energy(x):
    rod = Rod(x)
    return rod.length**2
