def layer(params, x, name):
    return params[name] * x


def forward(params, x, name):
    n = len(params["b"])
    return layer(params, x, name) * n
