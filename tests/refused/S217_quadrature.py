from scipy.integrate import dblquad


def work(k):
    return dblquad(lambda y, x: k * x * y**2, 0.0, 1.0, 0.0, 2.0)[0]
