import numpy as np
from scipy.integrate import solve_ivp


def mean(k):
    times = np.linspace(0.0, 2.0, 9)
    sol = solve_ivp(lambda t, y: -k * y, (0.0, 2.0), [1.0], t_eval=times, rtol=1e-10, atol=1e-12)
    return np.mean(sol.y[0])


# s2s verify S217_times_rewritten.py::mean --at "k=0.8"
