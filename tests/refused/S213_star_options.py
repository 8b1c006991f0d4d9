def energy(x, **settings):
    return 0.5 * settings["k"] * x**2 * settings["scale"]


def spring(x, **options):
    return energy(x, scale=2.0, **options)
