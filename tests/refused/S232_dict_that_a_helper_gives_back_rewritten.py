def check(b):
    if len(b) != 2:
        raise ValueError("two biases")


def model(params, x):
    check(params["b"])
    return params["w"] * x


# s2s verify S232_dict_that_a_helper_gives_back_rewritten.py::model --wrt params,x --at "params=dict(w=0.7, b=[0.1, 0.2]), x=0.4"
