def fibonacci(x, n: int):
    memo = [x, x**2]
    for k in range(2, n):
        memo.append(memo[k - 1] + x * memo[k - 2])
    return memo[n - 1]


# s2s verify S232_computed_keys_rewritten.py::fibonacci --at "x=0.7, n=5"
