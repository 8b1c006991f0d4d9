def step(state, k):
    state = dict(state)
    state["x"] = state["x"] + k * state["v"]
    return state


# s2s verify S402_entries_of_a_dict_rewritten.py::step --at "state={'x': np.array([0.7, 0.2]), 'v': np.array([0.4, 1.1])}, k=0.3"
