class Rod:
    def __init__(self, length, tries):
        self.length = length
        for k in range(tries):
            if self.length < 0.1:
                return
            if k > 5:
                break
            self.length = 0.5 * self.length


def energy(x):
    rod = Rod(x, 3)
    return rod.length**2
