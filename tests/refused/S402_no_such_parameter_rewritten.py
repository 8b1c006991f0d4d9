def loss(w, x):
    return w * x**2


# s2s verify S402_no_such_parameter_rewritten.py::loss --wrt w --at "w=0.3, x=0.8"
