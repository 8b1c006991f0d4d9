def merged(x, base):
    p = {"k": base["k"], "x": x}
    return p["x"] * p["k"]


# s2s verify S213_merged_dict_rewritten.py::merged --at 'x=0.7, base={"k": 1.3}'
