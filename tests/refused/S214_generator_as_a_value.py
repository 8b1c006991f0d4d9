def total(x, n: int):
    terms = (x**k for k in range(n))
    first = next(terms)
    return first + 2.0 * sum(terms)
