def biomass(rate: float, start: float, feed):
    t, x = 0.0, start
    log = [(t, x)]
    for kind, when, amount in feed:
        x += rate * (when - t) * x
        t = when
        if kind == "pulse":
            x += amount
        log.append((t, x))
    return log[-1][1]
