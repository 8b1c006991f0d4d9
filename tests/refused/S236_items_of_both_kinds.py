def f(x):
    table = [x[0], x[1], x[2]]
    table[0] = [table[1], x[2]]
    return table[0][0] * table[0][1] * table[2]
