def merged(x, base, more):
    p = {**base, **more}
    total = 0.0
    for key, value in p.items():
        total = total + x * value**2
    return total
