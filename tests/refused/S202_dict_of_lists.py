def spring(x, n: int):
    history = {"x": [], "v": []}
    v = 0.0
    for k in range(n):
        v = v - 0.1 * x
        x = x + 0.1 * v
        history["x"].append(x)
        history["v"].append(v)
    return history["x"][-1] * sum(history["v"])
