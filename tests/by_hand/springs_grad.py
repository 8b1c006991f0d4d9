"""Derivatives of springs.py."""

import numpy as np
from numpy.typing import NDArray


def springs_grad(x, stiffness, left: NDArray[np.intp], right: NDArray[np.intp]):
    """Gradient of springs with respect to (x, stiffness).

    Half the squared forces on nodes that springs connect; a node may have many.
    Shapes: x (n,), stiffness (m,), left (m,), right (m,).
    """
    assert np.ndim(x) == np.ndim(stiffness) == 1
    assert np.shape(right) == np.shape(left) == np.shape(stiffness)

    # forward sweep
    pull = stiffness * (x[right] - x[left])
    force = np.zeros_like(x)
    np.add.at(force, left, pull)
    np.add.at(force, right, -pull)

    # reverse sweep
    # adjoint of: return 0.5 * np.dot(force, force)
    force_bar = force.copy()
    # adjoint of: np.add.at(force, right, -pull)
    pull_bar = -force_bar[right]
    # adjoint of: np.add.at(force, left, pull)
    pull_bar += force_bar[left]
    # adjoint of: pull = stiffness * (x[right] - x[left])
    stiffness_bar = (x[right] - x[left]) * pull_bar
    x_bar = np.zeros_like(x)
    np.add.at(x_bar, right, stiffness * pull_bar)
    np.add.at(x_bar, left, -stiffness * pull_bar)
    return x_bar, stiffness_bar
