def replaced(x, y, first: bool):
    values = [x, y, x * y]
    chosen = values if first else [y, x]
    chosen[1:2] = [x * x, y * y]
    return chosen[0] * chosen[1] + chosen[2]
