import numpy as np


def f(x, W):
    hs = [x]
    hs.append(np.tanh(W @ hs[-1]))
    hs.append(np.tanh(W @ hs[-1]))
    a = np.sin(hs[-1]) * 2.0
    hs.pop()
    return np.sum(np.sin(hs[-1]) * a)


ARGS = (np.array([0.4, -0.3, 0.7]), np.array([[0.5, 0.6, 0.9], [0.1, -0.8, 0.3], [0.7, 0.2, -0.4]]))
