def power(x, k):
    def law(y):
        return y**2

    if k > 3:
        return k * x
    return law(x)


# s2s verify S203_rebound_rewritten.py::power --at "x=0.7, k=2"
