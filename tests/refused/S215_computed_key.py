def flux(params, name):
    return params["scale"] * params[name]
