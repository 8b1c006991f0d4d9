"""The area under a damped wave: intervals are halved until Simpson's rule is good enough on each of them."""

import numpy as np


def wave(t, decay, frequency):
    return np.exp(-decay * t) * np.cos(frequency * t)


def simpson(a, b, decay, frequency):
    middle = wave(0.5 * (a + b), decay, frequency)
    ends = wave(a, decay, frequency) + wave(b, decay, frequency)
    return (b - a) * (ends + 4.0 * middle) / 6.0


# s2s: wrt=decay,frequency,end emit=value_and_grad,jvp
def area(decay: float, frequency: float, end: float, tolerance: float = 1e-6):
    """The integral of the wave from 0 to `end`."""
    todo = [(0.0, end)]
    total = 0.0
    while todo:
        a, b = todo.pop()
        m = 0.5 * (a + b)
        left = simpson(a, m, decay, frequency)
        right = simpson(m, b, decay, frequency)
        if abs(left + right - simpson(a, b, decay, frequency)) < tolerance:
            total += left + right
        else:
            todo.append((m, b))
            todo.append((a, m))
    return total
