def total(x, n: int):
    terms = [x**k for k in range(n)]
    first = terms[0]
    return first + 2.0 * sum(terms[1:])


# s2s verify S214_generator_as_a_value_rewritten.py::total --at "x=0.7, n=4"
