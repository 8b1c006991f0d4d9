def f(x, bins):
    rows = [[] for _ in range(3)]
    for i in range(len(x)):
        rows[bins[i]].append(x[i] ** 2)
    first = rows[0]
    return sum(first) * sum(rows[1])


# s2s verify S202_lists_with_two_names_rewritten.py::f --at "x=[0.7, 0.4, 1.1], bins=[0, 1, 0]" --wrt x
