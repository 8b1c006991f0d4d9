def total(x, y):
    stack = [x, x * y, y]
    s = 1.0
    while stack:
        s = s * stack.pop() + x
    return s + len(stack)


# s2s verify S202_pop_last_rewritten.py::total --at "x=0.7, y=0.4"
