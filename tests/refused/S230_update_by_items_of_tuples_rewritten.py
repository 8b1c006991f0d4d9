def biomass(rate: float, start: float, feed: list[tuple[str, float, float]]):
    t, x = 0.0, start
    log = [(t, x)]
    for kind, when, amount in feed:
        x += rate * (when - t) * x
        t = when
        if kind == "pulse":
            x += amount
        log.append((t, x))
    return log[-1][1]


# s2s verify S230_update_by_items_of_tuples_rewritten.py::biomass --at "rate=0.3, start=0.1, feed=[('pulse', 0.5, 0.2), ('none', 1.0, 0.0), ('pulse', 1.5, 0.4)]"
