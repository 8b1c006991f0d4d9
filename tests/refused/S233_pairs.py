def area(x, n: int):
    points = []
    for k in range(n):
        points.append((x * k, x**k))
    s = 0.0
    for a, b in points:
        s = s + a * b
    return s
