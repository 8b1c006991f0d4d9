"""The checker between stages runs in all tests (see s2s/check.py)."""

import gc
import os

os.environ.setdefault("S2S_CHECK", "1")


def pytest_collection_finish() -> None:
    """Tens of thousands of tests live until the end: the garbage collector need not look at them again and again."""
    gc.collect()
    gc.freeze()
