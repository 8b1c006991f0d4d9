def merged(x, base, more):
    total = 0.0
    for key, value in base.items():
        if key not in more:
            total = total + x * value**2
    for key, value in more.items():
        total = total + x * value**2
    return total


# s2s verify S213_merged_dict_rewritten.py::merged --at 'x=0.7, base={"k": 1.3, "m": 0.3}, more={"m": 0.7}'
