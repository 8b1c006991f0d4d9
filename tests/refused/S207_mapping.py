def apply(x, law):
    match law:
        case {"power": n, **rest}:
            return x**n
        case _:
            return x
