def mix(t):
    return t * t * 1.5


blend = mix


def drift(x):
    def shifted(q):
        return q * 2.0 + x

    return shifted(blend(x))


# s2s verify S217_hidden_by_a_second_name_rewritten.py::drift --at "x=0.7"
