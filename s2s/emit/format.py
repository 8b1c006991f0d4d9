"""The layout of generated text: black, with its style pinned by s2s and not by the user's settings."""

from __future__ import annotations

import re

WIDTH = 88
# A bracket that was split into one item a line, with a comma after the last.
EXPLODED = re.compile(r",\n *[)\]}]")


def load() -> None:
    """Loads black, which takes longer than anything else that is imported."""
    import black  # noqa: F401


def format_text(text: str) -> str:
    """`text` as black writes it. It is not compared with the text before: what is formatted is generated.

    black formats whatever it changed twice, since commas that it adds at the ends of brackets may move what stands
    around them. One pass is enough where it left no such comma: half of the time.
    """
    import black
    from black.mode import TargetVersion

    mode = black.Mode(line_length=WIDTH, target_versions={TargetVersion.PY311})
    once = getattr(black, "_format_str_once", None)
    if once is None:
        return black.format_str(text, mode=mode)
    first: str = once(text, mode=mode)
    second: str = once(first, mode=mode) if EXPLODED.search(first) else first
    return second
