def fitted(w: list[float], rate: float, data):
    w = list(w)
    for row, y in data:
        error = sum(a * b for a, b in zip(w, row)) - y
        for i in range(len(w)):
            w[i] = w[i] - rate * error * row[i]
    return sum(w)


# s2s verify S230_item_of_a_list_rewritten.py::fitted --at "w=[0.2, 0.5], rate=0.1, data=[([0.3, 0.8], 1.0), ([1.2, 0.5], 0.4)]"
