def middle(values: list[float]):
    values = list(values)
    values.sort()
    return values[len(values) // 2] ** 2


# s2s verify S202_list_of_the_caller_sorted_rewritten.py::middle --at "values=[0.9, 0.3, 0.5]"
