def area(width, height):
    return width * height


def square(x):
    return area(x, x)


# s2s verify S234_missing_rewritten.py::square --at "x=0.7"
