class Node:
    def __init__(self, value):
        self.value = value
        self.kids = []


def total(node):
    return node.value * sum(total(k) for k in node.kids) if node.kids else node.value


def f(x):
    root = Node(x[0])
    leaf = Node(x[1])
    root.kids.append(leaf)
    return total(root)
