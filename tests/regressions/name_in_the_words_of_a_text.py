"""`f"n{n}"` where `n` has another name in the output: the word within the text got that name, too, `f"n1{n1}"`."""


def f(x):
    L = [x, x * x]
    n = len(L)
    s = x
    if f"n{n}" == "n2":
        s = s * x
    n = n - 1
    if f"n{n}" == "n1":
        s = s * x
    for n in range(2):
        if f"n{n}" == "n1":
            s = s * x
    return s


ARGS = (0.7,)
WRT = ("x",)
SCALAR = True
