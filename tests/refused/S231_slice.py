def tail(x, n: int):
    history = [x]
    for k in range(n):
        history.append(x * history[-1])
    return sum(history[n // 2 :])
