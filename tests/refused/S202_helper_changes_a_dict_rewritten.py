def doubled(rate):
    return 2.0 * rate


def growth(p, t):
    rate = doubled(p["rate"])
    return p["size"] * rate * t


# s2s verify S202_helper_changes_a_dict_rewritten.py::growth --at 'p={"rate": 0.3, "size": 1.2}, t=0.8'
