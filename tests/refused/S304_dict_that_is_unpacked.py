def volume(box):
    if box["depth"] > 2.0:
        return 0.0
    depth, width, height = box.values()
    return depth * width * height
