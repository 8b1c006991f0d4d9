def step(s):
    return {"pos": s["pos"] + s["vel"], "vel": s["vel"] - s["pos"]}


def orbit(x, n: int):
    state = {"pos": x, "vel": 0.0}
    for k in range(n):
        state = step(state)
    return state["pos"]


# s2s verify S233_states_rewritten.py::orbit --at "x=0.7, n=4"
