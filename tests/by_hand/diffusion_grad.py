"""Derivatives of diffusion.py."""

import numpy as np


def advance(u, new, rate):
    """One explicit step of u_t = (u^2)_xx, into the inner cells of `new`."""
    square = u**2
    new[1:-1] = u[1:-1] + rate * (square[2:] - 2.0 * square[1:-1] + square[:-2])


def diffusion_grad(u0, rate: float, target, n_steps: int):
    """Gradient of diffusion with respect to (u0, rate).

    How far a nonlinear diffusion, in two buffers that take turns, ends from a
    target.
    Shapes: u0 (n,), target (n,).
    """
    assert np.ndim(u0) == 1 and np.ndim(rate) == 0
    assert np.shape(target) == np.shape(u0)
    assert u0.dtype.kind == "f"

    # forward sweep
    u = u0.copy()
    new = u0.copy()
    new_saved = []
    for step in range(n_steps):
        new_saved.append(new.copy())
        advance(u, new, rate)
        u, new = new, u

    # reverse sweep
    # adjoint of: return 0.5 * np.sum((u - target) ** 2)
    new_bar = np.zeros_like(new)
    u_bar = u - target
    rate_bar = 0.0
    for step in reversed(range(n_steps)):
        # adjoint of: u, new = new, u
        u, new = new, u
        u_bar, new_bar = new_bar, u_bar
        # adjoint of: advance(u, new, rate)
        new[...] = new_saved[step]
        u_inc, rate_inc = _advance_rev(u, rate, new_bar)
        u_bar += u_inc
        rate_bar += rate_inc
    # adjoint of: new = u0.copy()
    u0_bar = new_bar.copy()
    # adjoint of: u = u0.copy()
    u0_bar += u_bar
    return u0_bar, rate_bar


def _advance_rev(u, rate, new_bar):
    """Cotangents of (u, rate) in advance(u, new, rate); new_bar becomes that before
    the call.
    """
    # forward sweep
    square = u**2

    # reverse sweep
    # adjoint of: new[1:-1] = u[1:-1] + rate * (square[2:] - 2.0 * square[1:-1] + sq ...
    a_bar = rate * new_bar[1:-1]
    u_bar = np.zeros_like(u)
    u_bar[1:-1] += new_bar[1:-1]
    rate_bar = np.sum((square[2:] - 2.0 * square[1:-1] + square[:-2]) * new_bar[1:-1])
    square_bar = np.zeros_like(square)
    square_bar[2:] += a_bar
    square_bar[1:-1] -= 2.0 * a_bar
    square_bar[:-2] += a_bar
    new_bar[1:-1] = 0.0
    # adjoint of: square = u**2
    u_bar += 2.0 * u * square_bar
    return u_bar, rate_bar
