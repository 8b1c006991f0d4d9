def largest(x, k):
    seen = set()
    for v in x:
        seen.add(v * k)
    return max(seen)
