def volume(r):
    return 4.0 / 3.0 * 3.14159 * r**
