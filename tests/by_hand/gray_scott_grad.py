"""Derivatives of gray_scott.py."""

import numpy as np


def diffuse(c, rate, out):
    """The five-point Laplacian of `c`, times `rate`, into the inner cells of `out`."""
    out[1:-1, 1:-1] = rate * (
        c[:-2, 1:-1] + c[2:, 1:-1] + c[1:-1, :-2] + c[1:-1, 2:] - 4.0 * c[1:-1, 1:-1]
    )


def gray_scott_grad(u, v, feed: float, kill: float, target, n_steps: int):
    """Gradient of gray_scott with respect to (u, v, feed, kill).

    How far two reacting concentrations, advanced in buffers of their own, end from
    a target.
    Shapes: u (m, n), v (m, n), target (m, n).
    """
    assert np.ndim(u) == 2 and np.shape(u) == np.shape(v) == np.shape(target)
    assert np.ndim(feed) == np.ndim(kill) == 0

    # forward sweep
    u = u.copy()
    v = v.copy()
    du = np.zeros_like(u)
    dv = np.zeros_like(v)
    u_saved = []
    v_saved = []
    for step in range(n_steps):
        u_saved.append(u)
        v_saved.append(v)
        diffuse(u, 0.16, du)
        diffuse(v, 0.08, dv)
        reaction = u * v**2
        u = u + du - reaction + feed * (1.0 - u)
        v = v + dv + reaction - (feed + kill) * v

    # reverse sweep
    # adjoint of: return 0.5 * np.sum((v - target) ** 2)
    v_bar = v - target
    u_bar = np.zeros_like(u)
    du_bar = np.zeros_like(du)
    dv_bar = np.zeros_like(dv)
    feed_bar = 0.0
    kill_bar = 0.0
    for step in reversed(range(n_steps)):
        u = u_saved[step]
        v = v_saved[step]
        # adjoint of: v += dv + reaction - (feed + kill) * v
        dv_bar += v_bar
        reaction_bar = v_bar - u_bar
        rate_bar = -np.sum(v * v_bar)
        kill_bar += rate_bar
        v_bar -= (feed + kill) * v_bar
        # adjoint of: u += du - reaction + feed * (1.0 - u)
        du_bar += u_bar
        feed_bar += rate_bar + np.sum((1.0 - u) * u_bar)
        u_bar -= feed * u_bar
        # adjoint of: reaction = u * v**2
        u_bar += v**2 * reaction_bar
        v_bar += 2.0 * u * v * reaction_bar
        # adjoint of: diffuse(v, 0.08, dv)
        v_bar += _diffuse_rev(v, 0.08, dv_bar)
        # adjoint of: diffuse(u, 0.16, du)
        u_bar += _diffuse_rev(u, 0.16, du_bar)
    return u_bar, v_bar, feed_bar, kill_bar


def _diffuse_rev(c, rate, out_bar):
    """Cotangent of c in diffuse(c, rate, out); out_bar becomes that before the call."""
    s_bar = rate * out_bar[1:-1, 1:-1]
    out_bar[1:-1, 1:-1] = 0.0
    c_bar = np.zeros_like(c)
    c_bar[:-2, 1:-1] += s_bar
    c_bar[2:, 1:-1] += s_bar
    c_bar[1:-1, :-2] += s_bar
    c_bar[1:-1, 2:] += s_bar
    c_bar[1:-1, 1:-1] -= 4.0 * s_bar
    return c_bar
