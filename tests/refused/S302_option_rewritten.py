def largest(x, y):
    best = 0.0
    for v in (x, y):
        if v > 0.0 and v * v > best:
            best = v * v
    return best


# s2s verify S302_option_rewritten.py::largest --at "x=0.7, y=-1.2"
