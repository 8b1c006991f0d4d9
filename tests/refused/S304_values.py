def total(rates):
    return sum(rates.values())
