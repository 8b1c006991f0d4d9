def power(x: float, n: int):
    return x**n


# s2s verify S403_integer_rewritten.py::power --wrt x --at "x=0.7, n=3"
