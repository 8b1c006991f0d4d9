def area(width, height):
    return width * height


def square(x):
    return area(x, height=x)


# s2s verify S234_unknown_rewritten.py::square --at "x=0.7"
