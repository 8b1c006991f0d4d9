from functools import lru_cache


def energy(x, y):
    s = x

    @lru_cache(None)
    def scaled(n):
        return s * n

    a = scaled(2)
    s = y
    return a * scaled(2)
