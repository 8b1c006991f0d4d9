def volume(box):
    if box["depth"] > 2.0:
        return 0.0
    depth, width, height = box["depth"], box["width"], box["height"]
    return depth * width * height


# s2s verify S304_dict_that_is_unpacked_rewritten.py::volume --at "box=dict(depth=1.2, width=0.7, height=0.9)"
