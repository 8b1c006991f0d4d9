def guarded(x, lock):
    with lock:
        y = x**3
    return y
