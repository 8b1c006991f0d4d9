import numpy as np


def smallest(x, y):
    heap = []
    heap.append(x * y)
    heap.append(x + y)
    return np.sort(np.array(heap))[0]


# s2s verify S202_heap_rewritten.py::smallest --at "x=0.7, y=0.4"
