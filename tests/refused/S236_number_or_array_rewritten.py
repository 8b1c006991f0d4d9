import math


def first(x, flag):
    if flag:
        y = x[0] * 3
        return math.exp(y)
    return math.exp(x[0] * x[1])


# s2s verify S236_number_or_array_rewritten.py::first --at "x=np.array([0.3, 0.7]), flag=True"
