def energy(x, **settings):
    return 0.5 * settings["k"] * x**2 * settings["scale"]


def spring(x, options):
    return energy(x, scale=2.0, k=options["k"])


# s2s verify S213_star_options_rewritten.py::spring --at "x=0.3, options={'k': 2.0}"
