async def energy(x):
    return x**2
