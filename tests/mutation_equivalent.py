"""Mutants of the table that mean the same as the rule, or are judged by more than numbers, with the reason."""

EQUIVALENT: dict[str, str] = {}
