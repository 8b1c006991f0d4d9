# s2s: wrt=weights
def loss(w, x):
    return w * x**2
