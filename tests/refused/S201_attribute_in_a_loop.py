def march(x, state):
    for state.k in range(3):
        x = x * x
    return x
