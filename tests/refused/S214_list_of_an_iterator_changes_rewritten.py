def total(x):
    values = [x, x * x, 1.0]
    s = 0.0
    for k in range(2):
        v = values[k]
        values[1] = s * x
        s = s * x + v
    return s


# s2s verify S214_list_of_an_iterator_changes_rewritten.py::total --at "x=0.7"
