def dose(uptake, doses, rate):
    total = 0.0
    day = 0
    for d in doses:
        if d > 0.1:
            taken = rate * d
            total += uptake**day * taken
            rate = 0.8 * rate
            day += 1
    return total


# s2s verify S214_late_items_rewritten.py::dose --at "uptake=0.7, doses=np.array([0.5, 0.05, 0.8]), rate=1.3"
