"""Where the text of a module may be that a file imports: by its name alone, nothing is imported and no code runs.

The import hook asks this at each import of a cached text, so it needs nothing but `os`.
"""

from __future__ import annotations

import os
import sys


def of(name: str, folder: str) -> list[str]:
    """The files that `name` may mean in a file of `folder`, best first: `a.b`, `.b`, of a package `a.__init__`.

    Beside the file, above its package, in the current folder, and where Python would look.
    """
    rest = name.lstrip(".")
    parts = rest.split(".")
    if not all(p.isidentifier() for p in parts):
        return []
    folder = os.path.abspath(folder)
    level = len(name) - len(rest)
    if level:
        return [os.path.normpath(os.path.join(folder, *[".."] * (level - 1), *parts)) + ".py"]
    top = folder
    while os.path.isfile(os.path.join(top, "__init__.py")) and top != os.path.dirname(top):
        top = os.path.dirname(top)
    return [os.path.join(p, *parts) + ".py" for p in dict.fromkeys([top, folder, os.getcwd(), *filter(None, sys.path)])]


def is_installed(name: str) -> bool:
    """Whether a module belongs to a package that is installed: those import no modules of the user's."""
    top = name.partition(".")[0]
    folders = [p for p in sys.path if os.path.basename(p) in ("site-packages", "dist-packages")]
    return bool(top) and any(os.path.exists(os.path.join(p, end)) for p in folders for end in (top, f"{top}.py"))
