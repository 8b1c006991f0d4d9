"""From the syntax tree to the IR, in A-normal form."""
