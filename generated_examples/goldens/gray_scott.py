import numpy as np


def diffuse(c, rate, out):
    """The five-point Laplacian of `c`, times `rate`, into the inner cells of `out`."""
    out[1:-1, 1:-1] = rate * (c[:-2, 1:-1] + c[2:, 1:-1] + c[1:-1, :-2] + c[1:-1, 2:] - 4.0 * c[1:-1, 1:-1])


# s2s: u (m, n), v (m, n), target (m, n)
def gray_scott(u, v, feed: float, kill: float, target, n_steps: int):
    """How far two reacting concentrations, advanced in buffers of their own, end from a target."""
    u = u.copy()
    v = v.copy()
    du = np.zeros_like(u)
    dv = np.zeros_like(v)
    for step in range(n_steps):
        diffuse(u, 0.16, du)
        diffuse(v, 0.08, dv)
        reaction = u * v**2
        u += du - reaction + feed * (1.0 - u)
        v += dv + reaction - (feed + kill) * v
    return 0.5 * np.sum((v - target) ** 2)
