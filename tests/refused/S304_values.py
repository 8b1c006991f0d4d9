def greatest(rates):
    return max(rates.values())
