"""Where a planet is: Kepler's equation, solved by Newton's method."""

import math


def eccentric_anomaly(mean_anomaly: float, eccentricity: float):
    """E with E - e sin E = M, for 0 <= e < 1."""
    if eccentricity == 0.0:
        return mean_anomaly
    E = mean_anomaly + eccentricity * math.sin(mean_anomaly)
    residual = E - eccentricity * math.sin(E) - mean_anomaly
    while abs(residual) > 1e-13:
        E = E - residual / (1.0 - eccentricity * math.cos(E))
        residual = E - eccentricity * math.sin(E) - mean_anomaly
    return E


# s2s: emit=value_and_grad,jvp
def distance(time: float, axis: float, eccentricity: float, period: float):
    """Distance from the focus, `time` after the nearest point of an orbit."""
    mean_anomaly = 2.0 * math.pi * time / period
    E = eccentric_anomaly(mean_anomaly, eccentricity)
    return axis * (1.0 - eccentricity * math.cos(E))
