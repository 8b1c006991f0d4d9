from scipy.integrate import quad


def work(k):
    def row(x):
        return quad(lambda y: k * x * y**2, 0.0, 2.0)[0]

    return quad(row, 0.0, 1.0)[0]


# s2s verify S217_quadrature_rewritten.py::work --at "k=0.8"
