"""What a loop over the keys of a dict overwrites comes back by entries: the dict was saved as if it were a list."""

ARGS = (0.3, 0.7)
WRT = ("x",)


# s2s: x (), y ()
def f(x, y):
    table = {0: x, 1: y, 2: x * x}
    table[0] = table.get(1, 0.0) * x
    for k in table:
        table[k] = y
    return sum(table.values()) + x**2
