import numpy as np


class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b


def swapped(p, q):
    return [q.copy(), p.copy()]


# s2s: u (3,), v (3,)
def f(u, v, k: float):
    q = Pair(u * k, v * k)
    q.b = swapped(q.a, q.b)[0]
    q.a[0] = k
    return np.sum(sum((q.a, q.b)) ** 2)
# s2s verify S239_item_of_a_list_of_arguments_rewritten.py::f --at "u=np.array([1.0, 2.0, 3.0]), v=np.array([0.4, 0.5, 0.6]), k=0.3"
