def fitted(w: list[float], rate: float, data):
    w = list(w)
    for row, y in data:
        error = sum(a * b for a, b in zip(w, row)) - y
        for i in range(len(w)):
            w[i] -= rate * error * row[i]
    return sum(w)
