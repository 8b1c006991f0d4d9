def smooth(x):
    return x.rolling(3).mean()[-1]
