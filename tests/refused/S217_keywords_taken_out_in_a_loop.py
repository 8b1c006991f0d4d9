def f(x, y):
    return _damped(x, rate=y)


def _damped(x, **options):
    for _ in range(3):
        x = x * options.pop("rate", 0.5)
    return x
