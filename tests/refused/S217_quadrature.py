from scipy.integrate import quad


def work(k):
    return quad(lambda t: k * t**2, 0.0, 1.0)[0]
