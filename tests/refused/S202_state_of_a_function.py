def _running(start):
    state = {"total": start}

    def add(x):
        state["total"] = state["total"] * x
        return state["total"]

    return add


def product(x, y):
    add = _running(x)
    return add(y) * add(y)
