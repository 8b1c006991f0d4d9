def fibonacci(x, n: int):
    memo = {0: x, 1: x**2}
    for k in range(2, n):
        memo[k] = memo[k - 1] + x * memo[k - 2]
    return memo[n - 1]
