def guarded(x):
    return x**3


# s2s verify S205_lock_rewritten.py::guarded --at "x=0.7"
