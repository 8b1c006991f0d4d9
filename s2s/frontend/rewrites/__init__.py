"""Sugar, structures and lists in other words: Python that the lowering knows."""
