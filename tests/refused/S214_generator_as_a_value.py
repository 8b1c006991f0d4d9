def total(x, n: int):
    terms = (x**k for k in range(n))
    return sum(terms)
