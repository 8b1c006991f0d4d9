import numpy as np
from numpy.typing import NDArray


# s2s: x (n,), stiffness (m,), left (m,), right (m,)
def springs(x, stiffness, left: NDArray[np.intp], right: NDArray[np.intp]):
    """Half the squared forces on nodes that springs connect; a node may have many."""
    pull = stiffness * (x[right] - x[left])
    force = np.zeros_like(x)
    np.add.at(force, left, pull)
    np.add.at(force, right, -pull)
    return 0.5 * np.dot(force, force)
