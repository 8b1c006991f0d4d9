def f(x, y):
    return _damped(x, rate=y)


def _damped(x, **options):
    rate = options.pop("rate", 0.5)
    x = x * rate
    for _ in range(2):
        x = x * 0.5
    return x


# s2s verify S217_keywords_taken_out_in_a_loop_rewritten.py::f --at "x=0.7, y=1.3"
