def formula(x):
    return x * x + 1.0


# s2s verify S221_eval_rewritten.py::formula --at "x=0.7"
