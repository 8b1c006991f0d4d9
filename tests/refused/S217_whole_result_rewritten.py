from scipy.optimize import root


def state(p):
    def balance(x):
        return x**3 + p * x - 1.0

    sol = root(balance, [0.5, 0.8], tol=1e-12)
    return sol.x[0]


# s2s verify S217_whole_result_rewritten.py::state --at "p=1.8"
