def loss(w):
    return w**2
