from collections import deque


def recur(x, n: int):
    queue = deque([x, x**2])
    for k in range(n):
        queue.append(queue[0] * queue[1])
        queue.popleft()
    return queue[-1]
