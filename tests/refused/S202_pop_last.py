def total(x, y):
    stack = [x, x * y, y]
    same = stack
    s = 1.0
    while stack:
        s = s * stack.pop() + x
    return s + len(same)
