"""Binomial regression: the risk of O-ring distress at a launch, as a function of temperature."""

import numpy as np

N_RINGS = 6  # field joints of a launch, each with one primary O-ring


# s2s: wrt=theta emit=value_and_grad
# s2s: theta (2,), temperature (n,), distressed (n,)
def distress_loss(theta, temperature, distressed):
    """Negative log-likelihood of `distressed` rings out of six, without the binomial constant.

    The log-odds of one ring are theta[0] + theta[1] * (temperature - 70) / 10.
    """
    log_odds = theta[0] + theta[1] * (temperature - 70.0) / 10.0
    # log(1 + exp(log_odds)), without overflow
    softplus = np.maximum(log_odds, 0.0) + np.log1p(np.exp(-np.abs(log_odds)))
    return np.sum(N_RINGS * softplus - distressed * log_odds)
