"""Rules of scipy.special."""
