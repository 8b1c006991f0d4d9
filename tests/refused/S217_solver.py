from scipy.integrate import odeint


def final(k, y0):
    def rhs(y, t):
        return -k * y

    return odeint(rhs, y0, [0.0, 1.0])[-1, 0]
