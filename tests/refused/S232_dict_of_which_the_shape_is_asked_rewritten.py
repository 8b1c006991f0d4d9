def layer(params, x, name):
    return params[name] * x


def forward(params: dict, x, name, n):
    return layer(params, x, name) * n


# s2s verify S232_dict_of_which_the_shape_is_asked_rewritten.py::forward --wrt params,x --at "params=dict(b=0.7, w=0.9), x=0.4, name='w', n=2"
