def recur(x, n: int):
    queue = [x, x**2]
    for k in range(n):
        queue.append(queue[-1] * x + queue[0])
        queue = queue[1:]
    return queue[-1]


# s2s verify S202_pop_first_rewritten.py::recur --at "x=0.7, n=4"
