"""The layout of generated text: black, with its style pinned by s2s and not by the user's settings."""

from __future__ import annotations

WIDTH = 88


def load() -> None:
    """Loads black, which takes longer than anything else that is imported."""
    import black  # noqa: F401


def format_text(text: str) -> str:
    """`text` as black writes it. It is not compared with the text before: what is formatted is generated."""
    import black
    from black.mode import TargetVersion

    return black.format_str(text, mode=black.Mode(line_length=WIDTH, target_versions={TargetVersion.PY311}))
