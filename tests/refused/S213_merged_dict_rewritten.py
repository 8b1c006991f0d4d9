def merged(x, base):
    total = x**2
    for key, value in base.items():
        total = total + value**2
    return total


# s2s verify S213_merged_dict_rewritten.py::merged --at 'x=0.7, base={"k": 1.3}'
