def scaled(p, x):
    q = {k: v * x for k, v in p.items()}
    pair = [q, p]
    return pair[0]["weight"] * pair[1]["bias"]
