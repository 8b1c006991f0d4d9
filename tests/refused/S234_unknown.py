def area(width, height):
    return width * height


def square(x):
    return area(x, depth=x)
