def total(x):
    values = [x, x * x]
    s = 0.0
    for v in values:
        if len(values) < 4:
            values.append(s)
        s = s * x + v
    s = s * x + x
    return s


# s2s verify S214_list_of_a_chain_changes_rewritten.py::total --at "x=0.7"
