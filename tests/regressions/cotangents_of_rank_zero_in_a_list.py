"""The cotangent of the last item, an array of rank 0 of the caller's, is not added to in place."""


# s2s: y ()
def f(y):
    s = y
    items = [s]
    items.append(y)
    return items


ARGS = (0.8,)
SCALAR = False
