def recur(x, n: int):
    queue = [x, x**2]
    for k in range(n):
        queue.append(queue[0] * queue[1])
        queue = queue[1:]
    return queue[-1]


# s2s verify S221_deque_rewritten.py::recur --at "x=0.7, n=3"
