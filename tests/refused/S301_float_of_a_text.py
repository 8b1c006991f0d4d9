def f(x: float):
    shown = f"{x * 2.0:.3f}"
    return float(shown) * x
