from scipy.integrate import solve_ivp


def final(k, y0):
    def rhs(t, y):
        return -k * y

    return solve_ivp(rhs, (0.0, 1.0), [y0], t_eval=[0.0, 1.0], rtol=1e-10, atol=1e-12).y[0, -1]


# s2s verify S217_solver_rewritten.py::final --at "k=0.8, y0=1.2"
