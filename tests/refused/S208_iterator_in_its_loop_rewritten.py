import numpy as np

ANGLES = (0.3, 1.2, 0.4, 0.9)


def f(x):
    angles = list(ANGLES)
    for i in range(0, len(angles), 2):
        x = x * np.cos(angles[i]) + np.sin(angles[i + 1])
    return x


# s2s verify S208_iterator_in_its_loop_rewritten.py::f --at "x=0.7"
