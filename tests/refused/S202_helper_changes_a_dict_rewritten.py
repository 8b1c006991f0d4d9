def doubled(rate, n):
    if n > 0:
        return doubled(2.0 * rate, n - 1)
    return rate


def growth(p, t, n: int):
    rate = doubled(p["rate"], n)
    return p["size"] * rate * t


# s2s verify S202_helper_changes_a_dict_rewritten.py::growth --at 'p={"rate": 0.3, "size": 1.2}, t=0.8, n=2'
