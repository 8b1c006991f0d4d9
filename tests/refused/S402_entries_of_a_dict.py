# s2s: of=state emit=vjp
def step(state, k):
    state["x"] = state["x"] + k * state["v"]
