def scaled(p, x):
    q = {k: v * x for k, v in p.items()}
    return q["weight"] * p["bias"]


# s2s verify S236_dict_of_a_comprehension_rewritten.py::scaled --at "p={'weight': 0.3, 'bias': 0.8}, x=0.7"
