def march(u, rate):
    return u + rate * u**3


def energy(u, k):
    return march(u, rate=k) ** 2


# s2s verify S308_keyword_rewritten.py::energy --at "u=0.7, k=0.3"
