def product(*factors):
    p = 1.0
    for v in factors:
        p = p * v
    return p
