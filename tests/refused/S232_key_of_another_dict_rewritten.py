import numpy as np


def swapped(x, y, key: str):
    now = {"a": x * y, "b": x + y, "c": np.sin(y)}
    then = {"a": x - y, "b": 2.0 * x}
    now, then = then, now
    old = now[key]
    now[key] = x * old
    return np.sum(now["a"] * now["b"]) + np.sum(then["a"])


# s2s verify S232_key_of_another_dict_rewritten.py::swapped --at 'x=1.3, y=0.4, key="b"'
