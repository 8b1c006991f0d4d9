def loss(w, x):
    return w * x**2
