def volume(r):
    return 4.0 / 3.0 * 3.14159 * r**3


# s2s verify S104_empty_rewritten.py::volume --at "r=0.7"
