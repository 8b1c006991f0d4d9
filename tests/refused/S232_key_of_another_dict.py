import numpy as np


def swapped(x, y, key: str):
    now = {"a": x * y, "b": x + y, "c": np.sin(y)}
    then = {"a": x - y, "b": 2.0 * x}
    old = now[key]
    now, then = then, now
    now[key] = x * old
    return np.sum(now["a"] * now["b"]) + np.sum(then["a"])
