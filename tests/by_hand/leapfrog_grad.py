"""Derivatives of leapfrog.py."""

import numpy as np


def leapfrog_grad(u, speed, dt: float, n_steps: int):
    """Gradient of leapfrog with respect to (u, speed, dt).

    The wave equation on a string with fixed ends, from rest: half the squared final
    displacement.
    Shapes: u (n,), speed (n,).
    """
    assert np.ndim(u) == 1 and np.ndim(dt) == 0
    assert np.shape(speed) == np.shape(u)

    # forward sweep
    r = (speed * dt) ** 2
    before = u.copy()
    now = u.copy()
    now_saved = []
    for step in range(n_steps):
        after = 2.0 * now - before
        after[1:-1] += r[1:-1] * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        now_saved.append(now)
        before, now = now, after

    # reverse sweep
    # adjoint of: return 0.5 * np.dot(now, now)
    now_bar = now.copy()
    before_bar = np.zeros_like(before)
    r_bar = np.zeros_like(r)
    for step in reversed(range(n_steps)):
        # adjoint of: before, now = now, after
        now = now_saved[step]
        after_bar, now_bar = now_bar, before_bar
        # adjoint of: after[1:-1] += r[1:-1] * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        r_bar[1:-1] += (now[2:] - 2.0 * now[1:-1] + now[:-2]) * after_bar[1:-1]
        a_bar = r[1:-1] * after_bar[1:-1]
        now_bar[2:] += a_bar
        now_bar[1:-1] -= 2.0 * a_bar
        now_bar[:-2] += a_bar
        # adjoint of: after = 2.0 * now - before
        now_bar += 2.0 * after_bar
        before_bar = -after_bar
    # adjoint of: now = u.copy()
    # adjoint of: before = u.copy()
    u_bar = now_bar + before_bar
    # adjoint of: r = (speed * dt) ** 2
    a_bar = 2.0 * dt * speed * r_bar
    speed_bar = dt * a_bar
    dt_bar = np.sum(speed * a_bar)
    return u_bar, speed_bar, dt_bar
