def loss(w, x):
    return w * x**2


# s2s verify S401_no_such_function_rewritten.py::loss --at "w=0.3, x=0.8"
