"""Rules of scipy.stats."""
