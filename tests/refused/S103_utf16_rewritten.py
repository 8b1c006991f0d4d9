def volume(r):
    return 4.0 / 3.0 * 3.14159 * r**3


# s2s verify S103_utf16_rewritten.py::volume --at "r=0.7"
