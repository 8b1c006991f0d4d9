"""Log-likelihood of observations under a linear Gaussian state space model."""

import math

import numpy as np


# s2s: wrt=F,Q,R,x0
# s2s: F (m, m), H (p, m), Q (m, m), R (p, p), x0 (m,), P0 (m, m), ys (T, p)
def log_likelihood(F, H, Q, R, x0, P0, ys):
    """Sum over time of the log-density of each observation, given those before it.

    State: x' = F x + noise of covariance Q. Observation: y = H x + noise of covariance R.
    """
    x = x0
    P = P0
    total = 0.0
    for y in ys:
        # predict
        x = F @ x
        P = F @ P @ F.T + Q

        # what the observation says that the prediction did not
        innovation = y - H @ x
        S = H @ P @ H.T + R
        sign, log_det = np.linalg.slogdet(S)
        weighted = np.linalg.solve(S, innovation)
        total -= 0.5 * (log_det + innovation @ weighted + len(y) * math.log(2.0 * math.pi))

        # update
        gain = P @ H.T
        x = x + gain @ weighted
        P = P - gain @ np.linalg.solve(S, gain.T)
    return total
