def add(values, v):
    values.append(v * v)


def f(values, x):
    values = list(values)
    add(values, 2.0 * x)
    return sum(values) * x


# s2s verify S202_helper_appends_to_a_list_of_the_caller_rewritten.py::f --wrt x --at "values=[0.1, 0.2], x=0.7"
