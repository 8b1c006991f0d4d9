def pairs(x):
    s = 0.0
    for a in x * 2.0:
        for b in x:
            s = s + a * b**2
    return s


# s2s verify S301_product_rewritten.py::pairs --at "x=np.array([0.3, 0.8, 0.5])"
