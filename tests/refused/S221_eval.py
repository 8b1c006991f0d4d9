def formula(x):
    return eval("x * x + 1.0")
