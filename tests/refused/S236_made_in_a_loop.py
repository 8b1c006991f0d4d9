def growth(u, rates):
    for r in rates:
        state = [r * v * (1.0 - v) for v in u]
        u = [0.5 * v for v in state]
    return state[0] + 2.0 * state[1]
