"""An operand by its keyword has a shape, too: a density of a number was taken for a number."""

import numpy as np
import scipy.stats as st


# s2s: w (3,)
def f(s: float, w):
    return st.norm.logpdf(s, loc=0.1, scale=w)


ARGS = (0.7, np.array([0.9, 0.3, 1.4]))
WRT = ("s", "w")
SCALAR = False
