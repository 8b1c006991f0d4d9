def f(x: float, n: int):
    row = [x, 0.2]
    history = []
    for _ in range(n):
        row[0] = row[0] * row[1] + x
        history.append(row[:])
    history[0][1] = x
    return history[0][0] * history[-1][1]


# s2s verify S239_copy_in_a_list_rewritten.py::f --at "x=0.3, n=3"
