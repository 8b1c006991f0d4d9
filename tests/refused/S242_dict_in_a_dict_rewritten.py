def total(x, y):
    inner = {"k": 0.0}
    inner["k"] = x * y
    return inner["k"] ** 2


# s2s verify S242_dict_in_a_dict_rewritten.py::total --at "x=0.7, y=0.4"
