def _running(start):
    state = {"total": start}

    def add(x):
        state["total"] = state["total"] * x
        return state["total"]

    return add


def product(x, y):
    adders = [_running(x), _running(y)]
    return adders[0](y) * adders[0](y) * adders[1](x)
