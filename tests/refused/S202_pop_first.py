def recur(x, n: int):
    queue = [x, x**2]
    for k in range(n):
        queue.append(queue[-1] * x + queue[0])
        queue.pop(0)
    return queue[-1]
