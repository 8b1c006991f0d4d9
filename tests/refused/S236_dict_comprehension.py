def first(x):
    squares = {k: v * v for k, v in enumerate(x)}
    return squares[0] * x[1]
