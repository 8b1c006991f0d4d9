def square(x, n: int):
    for k in range(n):
        try:
            x = x * x
        finally:
            break
    return x
