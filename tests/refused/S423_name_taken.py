def loss_grad(x):
    return 2.0 * x


def loss(x):
    return loss_grad(x) ** 2
