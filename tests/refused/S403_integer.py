def power(x: float, n: int):
    return x**n
