def mix(t):
    return t * t * 1.5


blend = mix


def drift(x):
    def mix(q):
        return q * 2.0 + x

    return mix(blend(x))
