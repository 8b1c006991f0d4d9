"""Rules of scipy.linalg."""
