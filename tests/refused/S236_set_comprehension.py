def largest(x):
    squares = {v * v for v in x}
    return max(squares)
