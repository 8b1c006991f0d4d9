def ends(x, y):
    z = [x, x * y, y]
    z = [z[0], z[2]]
    return z[0] * z[1]


# s2s verify S211_item_rewritten.py::ends --at "x=0.7, y=1.3"
