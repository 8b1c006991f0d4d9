def count(x, limit):
    s = 0.0
    for v in x:
        if v > limit:
            s = s + 1.0
    return s
