def reciprocal(x):
    try:
        y = 1.0 / x
    except* ZeroDivisionError:
        y = 0.0
    return y
