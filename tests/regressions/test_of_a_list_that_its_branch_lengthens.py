"""Tests that read a list to which their branch appends: backwards, they were asked of the list with its new items."""


def f(x, n: int):
    row = [x]
    for i in range(n):
        if len(row) < 4 and row[-1] < 2.0:
            row.append(row[-1] * x + 0.3)
        if not len(row) % 2:
            row.append(row[0] * i)
    queue = [x]
    total = 0.0
    while queue:
        y = queue.pop(0)
        total += y**2
        if len(queue) < 3 and y < 3.0:
            queue.append(y * 1.5)
            queue.append(y + 0.7)
    return total * sum(row)


ARGS = (0.7, 5)
WRT = ("x",)
