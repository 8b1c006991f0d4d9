def doubling(x):
    values = [x]
    for k in range(4):
        values.append(2.0 * values[k])
    return values[-1]


# s2s verify S219_grows_rewritten.py::doubling --at "x=0.7"
