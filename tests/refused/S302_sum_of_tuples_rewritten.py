def spread(x: float):
    pairs = [v for row in ((x, 2.0 * x), (x * x,)) for v in row]
    return pairs[1] * pairs[2]


# s2s verify S302_sum_of_tuples_rewritten.py::spread --at "x=0.7"
