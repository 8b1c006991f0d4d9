import numpy as np


def relax(u):
    u[1:-1] = 0.5 * (u[2:] + u[:-2])
    return np.max(np.abs(np.diff(u)))


def energy(u):
    u = u * 1.0
    step = relax(u)
    print(f"largest step: {step:.3f}")
    keys = [relax(u), relax(u[1:])]
    order = sorted([0, 1], key=lambda k: keys[k])
    return np.sum(u**2) * (1 + order[0])


def sorted_sum(u):
    u = u * 1.0
    u.sort()
    u = np.multiply(u, 2.0)
    return np.sum(u * np.arange(u.size))


def any_small(m):
    m = m * 1.0
    small = False
    for row in m:
        if relax(row) < 0.1:
            small = True
            break
    return np.sum(m) if small else np.sum(m**2)


# s2s verify S202_writes_inside_a_text_rewritten.py::energy --at 'u=np.array([0.1, 0.8, -0.3, 1.2])'
