def scaled(x, n):
    return x * x * n


# s2s verify S202_object_that_a_read_changes_rewritten.py::scaled --at "x=0.7, n=3"
