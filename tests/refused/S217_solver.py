from scipy.integrate import solve_ivp


def final(k, y0):
    def rhs(t, y):
        return -k * y

    return solve_ivp(rhs, (0.0, 1.0), [y0]).y[0, -1]
