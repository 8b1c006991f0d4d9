def powers(x, n: int):
    out = []
    for k in range(n):
        out.append(x**k)
    return out


def total(x, n: int):
    s = 0.0
    for p in powers(x, n):
        s = s + p
    return s


# s2s verify S208_generator_rewritten.py::total --at "x=0.7, n=4"
