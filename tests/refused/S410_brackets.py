# s2s: w [d]
def loss(w):
    return (w**2).sum()
