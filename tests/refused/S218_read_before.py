def twice(x):
    return x + (x := 2.0 * x)
