def square(x, n: int):
    for k in range(n):
        try:
            x = x * x
        finally:
            print("squared")
        break
    return x


# s2s verify S206_finally_rewritten.py::square --at "x=0.7, n=3"
