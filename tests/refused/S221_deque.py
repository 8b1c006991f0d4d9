from collections import deque


def smoothed(x, n: int):
    window = deque([x], maxlen=n - 2)
    for k in range(n):
        window.append(x * window[-1])
    return sum(window)
