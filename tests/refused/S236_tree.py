class Node:
    def __init__(self, weight, left=None, right=None):
        self.weight = weight
        self.left = left
        self.right = right


def total(node):
    if node is None:
        return 0.0
    return node.weight + 0.5 * total(node.left) * total(node.right)


def score(x):
    tree = Node(x[0], Node(x[1]), Node(x[2], Node(x[0] * x[1])))
    return total(tree)
