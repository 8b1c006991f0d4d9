def checked(params):
    if len(params["b"]) != 2:
        raise ValueError("two biases")
    return params


def model(params, x):
    return checked(params)["w"] * x
