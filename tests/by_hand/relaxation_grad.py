"""Derivatives of relaxation.py."""

import math

import numpy as np


def relaxation_grad(y: float, rate: float, drive: float, h: float, n_steps: int):
    """Gradient of relaxation with respect to (y, rate, drive, h).

    A driven relaxation, y' = -rate y + sin(drive t), by the midpoint rule.
    """
    assert np.ndim(y) == np.ndim(rate) == np.ndim(drive) == np.ndim(h) == 0

    # forward sweep
    y_saved = []
    for step in range(n_steps):
        t = step * h
        sine = math.sin(drive * t)
        middle = y + 0.5 * h * (-rate * y + sine)
        sine1 = math.sin(drive * (t + 0.5 * h))
        y_saved.append(y)
        y = y + h * (-rate * middle + sine1)

    # reverse sweep
    y_bar = 1.0
    rate_bar = 0.0
    drive_bar = 0.0
    h_bar = 0.0
    for step in reversed(range(n_steps)):
        # adjoint of: y = y + h * slope(t + 0.5 * h, middle)
        y = y_saved[step]
        t = step * h
        sine = math.sin(drive * t)
        sine1 = math.sin(drive * (t + 0.5 * h))
        middle = y + 0.5 * h * (-rate * y + sine)
        a_bar = math.cos(drive * (t + 0.5 * h)) * h * y_bar
        h_bar += (sine1 - rate * middle) * y_bar + 0.5 * drive * a_bar
        rate_bar -= middle * h * y_bar
        middle_bar = -rate * h * y_bar
        drive_bar += (t + 0.5 * h) * a_bar
        t_bar = drive * a_bar
        # adjoint of: middle = y + 0.5 * h * slope(t, y)
        a_bar = 0.5 * h * middle_bar
        a1_bar = math.cos(drive * t) * a_bar
        y_bar += middle_bar - rate * a_bar
        h_bar += 0.5 * (sine - rate * y) * middle_bar
        rate_bar -= y * a_bar
        drive_bar += t * a1_bar
        t_bar += drive * a1_bar
        # adjoint of: t = step * h
        h_bar += step * t_bar
    return y_bar, rate_bar, drive_bar, h_bar
