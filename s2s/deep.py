"""Runs work on deep syntax trees in a thread with a large stack, so that a deep expression does not end the process.

The recursion limit belongs to the whole process, so one piece of work runs at a time and the limit is as before when
it has ended. (Nothing is lost by that: the work is pure Python, which runs one thread at a time in any case.)
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
STACKS = (512 << 20, 128 << 20, 32 << 20)  # the next one where the system gives no more
FRAME = 8 << 10  # of the C stack, for one level of recursion

_local = threading.local()
_one_at_a_time = threading.Lock()


def in_deep_thread(work: Callable[[], T]) -> T:
    """The result of `work()`, or the exception that it raises, from a thread with a large stack.

    The thread is a daemon: an interrupt of the caller ends the wait, and need not wait for the work.
    """
    if getattr(_local, "deep", False):
        return work()
    results: list[T] = []
    faults: list[BaseException] = []

    def run() -> None:
        _local.deep = True
        collects = gc.isenabled()
        gc.disable()  # trees of frozen nodes hold no cycles worth looking for, and looking takes time
        try:
            results.append(work())
        except BaseException as e:
            faults.append(e)
        finally:
            if collects:
                gc.enable()

    with _one_at_a_time:
        before = sys.getrecursionlimit()
        thread, raised = _started(run, before)
        try:
            thread.join()
        finally:
            if sys.getrecursionlimit() == raised:  # else somebody has set it meanwhile
                sys.setrecursionlimit(before)
    if faults:
        raise faults[0]
    return results[0]


def _started(run: Callable[[], None], limit: int) -> tuple[threading.Thread, int]:
    """The running thread with the largest stack that is to be had, and the recursion limit that it was given."""
    usual = threading.stack_size()
    for size in STACKS:
        raised = max(limit, size // FRAME - 1000)
        try:
            threading.stack_size(size)
            sys.setrecursionlimit(raised)
            thread = threading.Thread(target=run, name="s2s", daemon=True)
            thread.start()
        except (RuntimeError, ValueError, MemoryError) as e:
            sys.setrecursionlimit(limit)
            if size == STACKS[-1]:
                raise RuntimeError("no memory for the stack of a thread") from e
        else:
            return thread, raised
        finally:
            threading.stack_size(usual)
    raise AssertionError("unreachable")
