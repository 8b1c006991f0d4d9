class Node:
    def __init__(self, value, kids):
        self.value = value
        self.kids = kids


def total(node):
    return node.value * sum(total(k) for k in node.kids) if node.kids else node.value


def f(x):
    leaf = Node(x[1], [])
    root = Node(x[0], [leaf])
    return total(root)


# s2s verify S204_nodes_in_a_node_rewritten.py::f --at "x=np.array([0.3, 0.9])"
