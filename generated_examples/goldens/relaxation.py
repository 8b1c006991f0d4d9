import math


def relaxation(y: float, rate: float, drive: float, h: float, n_steps: int):
    """A driven relaxation, y' = -rate y + sin(drive t), by the midpoint rule."""

    def slope(t, y):
        return -rate * y + math.sin(drive * t)

    for step in range(n_steps):
        t = step * h
        middle = y + 0.5 * h * slope(t, y)
        y = y + h * slope(t + 0.5 * h, middle)
    return y
