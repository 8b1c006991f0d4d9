def measure(x):
    y = x**3
    values = []
    values.append(y)
    return y, values


# s2s verify S202_list_of_the_caller_rewritten.py::measure --at "x=0.7"
