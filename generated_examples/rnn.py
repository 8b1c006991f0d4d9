"""A recurrent network that reads a sequence and predicts a class at each step."""

import numpy as np


def log_softmax(z):
    shifted = z - np.max(z)
    return shifted - np.log(np.sum(np.exp(shifted)))


# s2s: wrt=Wx,Wh,b,Wo,bo emit=value_and_grad
# s2s: Wx (h, d), Wh (h, h), b (h,), Wo (c, h), bo (c,), xs (T, d), labels (T,)
def sequence_loss(Wx, Wh, b, Wo, bo, xs, labels):
    """Mean cross-entropy of the integer labels of the steps."""
    states = []
    h = np.zeros(len(b))
    for x in xs:
        h = np.tanh(Wx @ x + Wh @ h + b)
        states.append(h)

    loss = 0.0
    for h, label in zip(states, labels):
        log_p = log_softmax(Wo @ h + bo)
        loss -= log_p[int(label)]
    return loss / len(xs)
