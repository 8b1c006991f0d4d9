"""What the text of a function says, read off its syntax tree: names, bindings, classes, keys, comments."""
