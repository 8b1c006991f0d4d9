def greatest(rates):
    return max(rates["in"], rates["out"])


# s2s verify S304_values_rewritten.py::greatest --at 'rates={"in": 0.4, "out": 0.3}'
