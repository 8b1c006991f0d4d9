def scaled(p, x):
    q = {k: v * x for k, v in p.items()}
    q["bias"] = q["bias"] * 2.0
    return q["weight"] * q["bias"]
