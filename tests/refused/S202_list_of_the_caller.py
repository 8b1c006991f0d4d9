def measure(x, log):
    y = x**3
    log.append(y)
    return y
