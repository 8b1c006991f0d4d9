"""Of long tables, `make test` takes a part. The checker between stages (see s2s/check.py), a third of the time that a
derivative takes, runs in all tests of one row; of those with several, in one of twelve rows in `make test`."""

from __future__ import annotations

import gc
import os
import zlib

import pytest

import fresh
from s2s import check

os.environ.setdefault("S2S_CHECK", "1")

CHECKED = 12  # the checker runs in one of so many
FEW_PATHS = 12  # of the programs of tables, which are many; `make closure` and `make soak` check theirs anew


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--one-in",
        type=int,
        default=1,
        metavar="N",
        help="of the rows of tests marked as tables, one in N: others with every change of the source (default: all)",
    )


def part(config: pytest.Config) -> tuple[int, int]:
    """Which of how many parts of the tables is tested."""
    parts = config.getoption("one_in")
    return int(fresh.digest(), 16) % parts, parts


def pytest_report_header(config: pytest.Config) -> str:
    number, parts = part(config)
    return f"tables: part {number + 1} of {parts}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    number, parts = part(config)
    rows = [i for i in items if i.get_closest_marker("table") and hasattr(i, "callspec")]
    left = [i for i in rows if zlib.crc32(i.nodeid.encode()) % parts != number]
    if left:
        config.hook.pytest_deselected(items=left)
        out = set(left)
        items[:] = [i for i in items if i not in out]


def pytest_collection_finish() -> None:
    """Tens of thousands of tests live until the end: the garbage collector need not look at them again and again, nor
    at the trees of each program."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


@pytest.fixture(autouse=True)
def few_paths(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if (table := request.node.get_closest_marker("table")) is not None:
        monkeypatch.setattr(check, "PATHS", table.kwargs.get("paths", FEW_PATHS))


@pytest.fixture(autouse=True)
def without_checker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    number, parts = part(request.config)
    if (
        hasattr(request.node, "callspec")
        and parts > 1
        and (zlib.crc32(request.node.nodeid.encode()) // parts - number) % CHECKED
    ):
        monkeypatch.setenv("S2S_CHECK", "0")
