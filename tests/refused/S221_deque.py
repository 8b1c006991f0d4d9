from collections import deque


def smoothed(x, n: int):
    window = deque([x], maxlen=3)
    for k in range(n):
        window.append(x * window[-1])
    return sum(window)
