def ends(x, y):
    z = [x, x * y, y]
    del z[1]
    return z[0] * z[1]
