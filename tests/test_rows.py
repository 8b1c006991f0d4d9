"""Lists in the slots of lists and dicts get longer and shorter in place, where nothing else sees them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate

SPLIT = """import numpy as np


# s2s: x (n,), w ()
def f(x, w, bins, n):
    rows = [[] for _ in range(n)]
    for i in range(len(x)):
        rows[bins[i]].append(x[i] * w)
    return sum(np.prod(np.array(r)) for r in rows)
"""
GROUPS = """import numpy as np


# s2s: x (n,)
def f(x, key):
    groups = {}
    for i in range(len(x)):
        groups.setdefault(key[i], []).append(x[i] ** 2)
    out = 0.0
    for k in groups:
        out += np.prod(np.array(groups[k]))
    return out
"""
CHAIN = """import numpy as np


# s2s: x (n,)
def f(x, bins):
    rows = [[1.0] for _ in range(3)]
    for i in range(len(x)):
        rows[bins[i]].append(rows[bins[i]][-1] * x[i])
    return rows[0][-1] + rows[1][-1] * rows[2][-1]
"""
SEEN = """import numpy as np


# s2s: x (n,)
def f(x, bins):
    rows = [[1.0] for _ in range(3)]
    for i in range(len(x)):
        rows[bins[i]].append(rows[bins[i]][-1] * x[i])
    return rows
"""


def written(text: str, mode: str) -> str:
    return differentiate(text, Request(functions=("f",), wrt=("x",), emit=(mode,)))


@pytest.mark.parametrize(
    ("text", "forward", "reverse"),
    [
        (SPLIT, "rows[bins[i]].append(x[i] * w)", "x_bar[i] += w * rows_bar[bins[i]].pop()"),
        (GROUPS, "groups[key[i]].append(x[i] ** 2)", " * groups_bar[key[i]].pop()"),
        (CHAIN, "rows[bins[i]].append(rows[bins[i]][-1] * x[i])", "        rows[bins[i]].pop()\n"),
    ],
    ids=["lists", "dict", "read in between"],
)
def test_in_place(text: str, forward: str, reverse: str) -> None:
    found = written(text, "vjp")
    assert forward in found and reverse in found
    assert "_saved.append(rows[" not in found and "[*" not in found and "[:-1]" not in found
    tangent = written(text, "jvp")
    assert forward in tangent and "[*" not in tangent
    assert f"{forward.partition('[')[0]}_dot[" in tangent


def test_what_is_returned_stays() -> None:
    """The lists of the result are not those that the reverse sweep takes apart."""
    text = written(SEEN, "vjp")
    module: dict[str, Any] = {}
    exec(text, module)
    x, bins = np.array([0.5, 2.0, 3.0]), [0, 0, 1]
    bar = [[1.0, 0.5, 0.25], [1.0, 2.0], [1.0]]
    value, _ = module["f_vjp"](x, bins, out_bar=bar)
    assert value == [[1.0, 0.5, 1.0], [1.0, 3.0], [1.0]]
    assert bar == [[1.0, 0.5, 0.25], [1.0, 2.0], [1.0]]


@pytest.mark.parametrize(
    "body",
    [
        "rows = [[]] * 3\n    for i in range(3):\n        rows[bins[i]].append(x[i])",
        "one = [x[0]]\n    rows = [one, one, []]\n    for i in range(3):\n        rows[bins[i]].append(x[i])",
        "rows = [[], [], []]\n    keep = []\n    for i in range(3):\n        rows[bins[i]].append(x[i])\n"
        "        keep.append(rows[bins[i]])\n    rows = keep",
        "rows = []\n    for i in range(3):\n        r = [x[0]]\n        rows.append(r)\n        rows[i].append(x[i])\n"
        "        r.append(x[i] ** 2)",
        "rows = [[1.0], [2.0], [3.0]]\n    for r in rows:\n        rows[1].append(x[0] * r[0])",
        "rows = [[1.0], [2.0], [3.0]]\n    for i in range(3):\n        rows[0].append(x[i])\n        rows[1] = rows[0]",
    ],
    ids=["repeated", "shown twice", "kept", "under another name", "run over", "in two slots"],
)
def test_what_others_see(body: str) -> None:
    text = f"def f(x, bins):\n    {body}\n    return sum(rows[0]) * sum(rows[1]) * len(rows[2])\n"
    with pytest.raises(S2SError, match="S202"):
        written(text, "vjp")
