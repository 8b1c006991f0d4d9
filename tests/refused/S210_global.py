calls = 0


def energy(x):
    global calls
    calls += 1
    return x**2
