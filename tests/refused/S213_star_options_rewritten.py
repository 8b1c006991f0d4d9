def spring(x, options):
    return 0.5 * options["k"] * x**2


# s2s verify S213_star_options_rewritten.py::spring --at "x=0.3, options={'k': 2.0}"
