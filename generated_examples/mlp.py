"""A network of two layers; its parameters are a dict."""

import numpy as np


# s2s: wrt=params emit=value_and_grad
# s2s: params["W1"] (d, h), params["b1"] (h,), params["W2"] (h, c), params["b2"] (c,)
# s2s: x (n, d), y (n, c)
def loss(params, x, y, decay: float = 1e-3):
    """Mean cross-entropy of one-hot rows y, plus weight decay."""
    hidden = np.maximum(x @ params["W1"] + params["b1"], 0.0)
    logits = hidden @ params["W2"] + params["b2"]
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    log_p = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    cross_entropy = -np.sum(y * log_p) / len(x)
    return cross_entropy + 0.5 * decay * (np.sum(params["W1"] ** 2) + np.sum(params["W2"] ** 2))
