def loss(w):
    return w**2


# s2s verify S420_form_rewritten.py::loss --at "w=0.3"
