import numpy as np


class Mesh:
    def __init__(self, h):
        self.h = h


class Model:
    def __init__(self, u, mesh):
        self.u = u
        self.mesh = mesh


# s2s: u (n,)
def energy(u, h):
    mesh = Mesh(h)
    parts = {"fine": Model(u, mesh), "weight": 0.5}
    fine = parts["fine"]
    return parts["weight"] * fine.mesh.h * np.sum(fine.u**2)


# s2s verify S204_objects_of_an_object_in_a_dict_rewritten.py::energy --at "u=np.array([0.3, 0.8, 1.1]), h=0.5"
