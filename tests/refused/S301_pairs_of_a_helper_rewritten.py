def pairs(a, b):
    return list(zip(a, b))


def weighted(x, w):
    total = 0.0
    for u, v in pairs(x, w):
        total += u * v
    return total


# s2s verify S301_pairs_of_a_helper_rewritten.py::weighted --wrt x,w --at "x=np.array([0.3, 0.5]), w=np.array([0.9, 0.2])"
