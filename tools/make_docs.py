"""Makes pages of docs/ from the manual pages of the package: docs/errors.md from all S*.md, and the topics as they are.

`--check`: exit 1 where one is not up to date.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GROUPS = {
    "S1": "Reading the file",
    "S2": "Constructs that are refused",
    "S3": "Derivatives that are missing",
    "S4": "The request",
    "S5": "Written files and verification",
    "S9": "Bugs in s2s",
}


def errors_page(pages: Path) -> str:
    """All pages S*.md as one, grouped by their first digit, with a table of contents."""
    texts = {p.stem: p.read_text("utf-8").strip() for p in sorted(pages.glob("S[0-9][0-9][0-9].md"))}
    out = [
        "# Diagnostics",
        "",
        "Every refusal of s2s has a stable code. `s2s explain CODE` prints its page.",
        "",
        "This file is made from `s2s/pages/` by `make docs`.",
    ]
    for prefix, title in GROUPS.items():
        codes = [c for c in texts if c.startswith(prefix)]
        if codes:
            out += ["", f"**{title}**", ""]
            out += [f"- [{c}](#{c.lower()}): {texts[c].splitlines()[0].partition(': ')[2]}" for c in codes]
    for prefix, title in GROUPS.items():
        codes = [c for c in texts if c.startswith(prefix)]
        out += ["", f"## {title}"] * bool(codes)
        for code in codes:
            out += ["", f'<a id="{code.lower()}"></a>', "", lowered(texts[code], 2)]
    return "\n".join(out) + "\n"


def lowered(text: str, levels: int) -> str:
    """Markdown with its titles some levels further down."""
    return re.sub(r"(?m)^(#+) (?=\S)", lambda m: "#" * levels + m[0], text)


def main(check: bool) -> int:
    pages, docs, stale = ROOT / "s2s" / "pages", ROOT / "docs", 0
    made = {docs / "errors.md": errors_page(pages)}
    for page in sorted(pages.glob("[a-z]*.md")):
        made[docs / (page.stem.replace("-", "_") + ".md")] = page.read_text("utf-8")
    for path, text in made.items():
        if path.exists() and path.read_text("utf-8") == text:
            continue
        if check:
            print(f"{path.relative_to(ROOT)} is not up to date: run `make docs`")
            stale = 1
            continue
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")
    return stale


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
