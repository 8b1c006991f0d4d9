def energy(x, y):
    s = x

    def scaled(n):
        return s * n

    a = scaled(2)
    s = y
    return a * scaled(2)


# s2s verify S212_cached_function_of_what_changes_rewritten.py::energy --at "x=0.7, y=1.2"
