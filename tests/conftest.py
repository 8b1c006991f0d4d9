"""The checker between stages runs in all tests (see s2s/check.py)."""

import os

os.environ.setdefault("S2S_CHECK", "1")
