def volume(r):
    # r: Radius in Ångström
    return 4.0 / 3.0 * 3.14159 * r**3
