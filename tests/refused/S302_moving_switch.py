from scipy.integrate import solve_ivp


def level(inflow, start):
    def tank(t, h):
        return inflow - h if h[0] < 1.0 else -2.0 * h

    return solve_ivp(tank, (0.0, 3.0), [start]).y[0, -1]
