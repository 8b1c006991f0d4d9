# s2s: w (d,)
def loss(w):
    return (w**2).sum()


# s2s verify S410_brackets_rewritten.py::loss --at "w=np.array([0.3, 0.8])"
