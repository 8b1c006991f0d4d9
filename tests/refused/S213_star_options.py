def spring(x, **options):
    return 0.5 * options["k"] * x**2
