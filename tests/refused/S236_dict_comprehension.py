def first(x):
    pairs = [{k: v * v for k, v in enumerate(x)}, {0: 1.0}]
    return pairs[0][0] * x[1]
