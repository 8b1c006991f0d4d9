"""The price of a European option by Black and Scholes (1973); its gradient is what traders call the Greeks."""

import math


def normal_cdf(x):
    return 0.5 * (1.0 + math.erf(x / math.sqrt(2.0)))


# s2s: wrt=spot,expiry,rate,vol emit=value_and_grad
def call_price(spot: float, strike: float, expiry: float, rate: float, vol: float):
    """Price of the right to buy at `strike` in `expiry` years."""
    if expiry <= 0.0:
        return max(spot - strike, 0.0)
    spread = vol * math.sqrt(expiry)
    d1 = (math.log(spot / strike) + (rate + 0.5 * vol**2) * expiry) / spread
    d2 = d1 - spread
    return spot * normal_cdf(d1) - strike * math.exp(-rate * expiry) * normal_cdf(d2)
