"""Derivation: forward and reverse sweeps from the normalised primal."""
