from scipy.optimize import root


def state(p):
    def balance(x):
        return x**3 + p * x - 1.0

    return shown(root(balance, [0.5, 0.8]))


def shown(result):
    return result.x[0]
