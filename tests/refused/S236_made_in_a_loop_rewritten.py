def growth(u, rates):
    state = [0.0 for v in u]
    for r in rates:
        state = [r * v * (1.0 - v) for v in u]
        u = [0.5 * v for v in state]
    return state[0] + 2.0 * state[1]


# s2s verify S236_made_in_a_loop_rewritten.py::growth --at "u=[0.3, 0.6], rates=np.array([1.5, 2.0, 0.7])"
