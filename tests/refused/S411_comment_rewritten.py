# s2s: wrt=w
def loss(w, x):
    return w * x**2


# s2s verify S411_comment_rewritten.py::loss --wrt w --at "w=0.3, x=0.8"
