def dose(uptake, doses, rate):
    total = 0.0
    for day, taken in enumerate(rate * d for d in doses if d > 0.1):
        total += uptake**day * taken
        rate = 0.8 * rate
    return total
