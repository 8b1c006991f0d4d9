def largest(x, k):
    seen = []
    for v in x:
        seen.append(v * k)
    return max(seen)


# s2s verify S236_set_of_values_rewritten.py::largest --at 'x=np.array([0.7, 0.3]), k=0.4'
