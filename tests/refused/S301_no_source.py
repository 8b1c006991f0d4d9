import fastfilter


def smooth(x, data):
    return fastfilter.smooth(x) * data
