from types import SimpleNamespace


def f(x):
    boxes = [SimpleNamespace(size=a, shape=2.0 * a) for a in x]
    return boxes[0].size * boxes[1].shape


# s2s verify S216_size_of_what_a_function_inside_makes_rewritten.py::f --at "x=np.array([0.3, 0.7])"
