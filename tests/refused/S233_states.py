def orbit(x, n: int):
    states = [{"pos": x, "vel": 0.0}]
    for k in range(n):
        s = states[-1]
        states.append({"pos": s["pos"] + s["vel"], "vel": s["vel"] - s["pos"]})
    return states[-1]["pos"]
