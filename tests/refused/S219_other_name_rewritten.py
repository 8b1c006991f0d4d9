def doubling(x):
    values = [x]
    known = {"values": values}
    for k in range(4):
        values.append(2.0 * known["values"][k])
    return values[-1]


# s2s verify S219_other_name_rewritten.py::doubling --at "x=0.7"
