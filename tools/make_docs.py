"""Makes pages of docs/: docs/errors.md from the pages S*.md of the package, the topics as they are, docs/rules.md from
the table of rules, docs/coverage.md from the table and the names in tools/elsewhere.txt, and docs/modules.md from what
the modules say of themselves.

`--check`: exit 1 where one is not up to date.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

from s2s.rules import published

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


SHOWN = {
    "rule": "rule",
    "constant": "no derivative",
    "rewritten": "in other terms",
    "refused": "refused",
    "": "**none**",
}


def coverage_page(names: Path) -> str:
    """What autograd and JAX have by name, and what s2s has for it."""
    lines = names.read_text("utf-8").splitlines()
    origin = " ".join(line.lstrip("# ") for line in lines if line.startswith("#"))
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    out = [
        "# Coverage by name",
        "",
        origin,
        "",
        "For s2s: *rule*; *no derivative* is an entry for a function whose derivative is zero wherever it exists;",
        "*in other terms*: it is written with others (stores, branches) before the rules; *refused* has a stated",
        "reason ([rules.md](rules.md)); *none* is not in the table. That a name is there says nothing about options",
        "and orders.",
        "",
        "This file is made from the table by `make docs`.",
    ]
    modules = list(dict.fromkeys(fn.rpartition(".")[0] for fn, *_ in rows))
    out += ["", "| module | names | autograd | JAX | s2s: rule | no derivative | in other terms | refused | none |"]
    out += ["|---" * 9 + "|"]
    for module in modules:
        own = [(published.status(fn), has) for fn, *has in rows if fn.rpartition(".")[0] == module]
        counts = [sum("autograd" in has for _, has in own), sum("jax" in has for _, has in own)]
        counts += [sum(s == kind for s, _ in own) for kind in SHOWN]
        out.append(f"| {module} | {len(own)} | " + " | ".join(map(str, counts)) + " |")
    for module in modules:
        out += ["", f"## {module}", "", "| function | autograd | JAX | s2s |", "|---|---|---|---|"]
        for fn, *has in rows:
            if fn.rpartition(".")[0] == module:
                marks = " | ".join("yes" if who in has else "" for who in ("autograd", "jax"))
                out.append(f"| {fn.rpartition('.')[2]} | {marks} | {SHOWN[published.status(fn)]} |")
    return "\n".join(out) + "\n"


PARTS = {
    "": "What all parts use, and the line itself",
    "rules": "The table of derivatives",
    "frontend": "From text to A-normal form",
    "frontend/text": "What the text says: names, bindings, classes, comments",
    "frontend/rewrites": "Sugar, structures and lists in other words, as Python that the lowering knows",
    "frontend/lowering": "From the syntax tree to the IR",
    "analysis": "Facts",
    "derive": "The derivative",
    "optimise": "What a person would have written",
    "emit": "Text",
}


def modules_page(package: Path) -> str:
    """Each module of the package with the first sentence of its docstring, by folders in the order of the flow."""
    out = [
        "# Modules",
        "",
        "What each module is for, in its own words; the folders stand in the order of the flow"
        " ([how it works](how_it_works.md)).",
        "",
        "This file is made from the modules by `make docs`.",
    ]
    for part, title in PARTS.items():
        out += ["", f"## {'s2s/' + part if part else 's2s'}: {title[:1].lower() + title[1:]}", ""]
        out += ["| module | what it is for |", "|---|---|"]
        for path in sorted((package / part).glob("*.py")):
            words = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
            if path.stem != "__init__" and words:
                first = re.split(r"(?<=\.)\s", " ".join(words.split("\n\n")[0].split()))[0].rstrip(":.")
                out.append(f"| {path.stem} | {first.replace('|', chr(92) + '|')} |")
    return "\n".join(out) + "\n"


def lowered(text: str, levels: int) -> str:
    """Markdown with its titles some levels further down."""
    return re.sub(r"(?m)^(#+) (?=\S)", lambda m: "#" * levels + m[0], text)


def main(check: bool) -> int:
    pages, docs, stale = ROOT / "s2s" / "pages", ROOT / "docs", 0
    made = {
        docs / "errors.md": errors_page(pages),
        docs / "rules.md": published.page(),
        docs / "coverage.md": coverage_page(ROOT / "tools" / "elsewhere.txt"),
        docs / "modules.md": modules_page(ROOT / "s2s"),
    }
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
