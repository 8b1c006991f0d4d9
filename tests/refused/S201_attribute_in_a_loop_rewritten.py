def march(x, state):
    for k in range(3):
        x = x * x
    return x


# s2s verify S201_attribute_in_a_loop_rewritten.py::march --at "x=0.9, state=None"
