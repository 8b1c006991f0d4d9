"""Imports point one way, and each heavy library is imported in one place."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "s2s"
# A module imports only from groups before its own, and from its own group (a package from itself).
ORDER = [
    {"errors", "deep", "frozen", "places"},
    {"ir"},
    {"algebra"},
    {"rules", "helpers"},
    {"frontend"},
    {"analysis"},
    {"derive"},
    {"optimise"},
    {"check"},
    {"emit"},
    {"pipeline"},
    {"verify", "review", "hook", "api", "files", "freshness"},
    {"cli", "__main__"},
    {"__init__"},  # what `import s2s` offers; its imports are made when they are first used
]
MODULES = sorted(PACKAGE.rglob("*.py"))


def part(module: str) -> str:
    """ "s2s.derive.reverse" -> "derive"."""
    pieces = module.split(".")
    return pieces[1] if len(pieces) > 1 else "__init__"


def rank(name: str) -> int:
    found = [i for i, group in enumerate(ORDER) if name in group]
    assert found, f"{name} has no place in the order of imports"
    return found[0]


def imported(path: Path) -> set[str]:
    """The modules of s2s that a file imports, anywhere in it; imports under TYPE_CHECKING too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {a.name for a in node.names if a.name.split(".")[0] == "s2s"}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            if node.module == "s2s":
                found |= {
                    f"s2s.{a.name}" if (PACKAGE / f"{a.name}.py").exists() or (PACKAGE / a.name).is_dir() else "s2s"
                    for a in node.names
                }
            elif node.module is not None and node.module.startswith("s2s."):
                found.add(node.module)
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if own == "__init__":
        return
    for module in imported(path):
        target = part(module)
        if target == "__init__":  # `from s2s import __version__`
            continue
        assert rank(target) <= rank(own), f"{path.name} ({own}) imports {module}"
        if target != own and rank(target) == rank(own):
            # within a group: only in the order of the group's files, never in a circle
            back = PACKAGE / f"{target}.py"
            if back.exists():
                assert f"s2s.{own}" not in imported(back), f"{own} and {target} import each other"


@pytest.mark.parametrize("path", sorted((PACKAGE / "frontend").glob("*/*.py")), ids=lambda p: p.stem)
def test_folders_of_the_frontend_point_one_way(path: Path) -> None:
    folders = ["text", "rewrites", "lowering"]
    tree = ast.parse(path.read_text())
    guards = [n for n in ast.walk(tree) if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING"]
    for_types = {id(n) for guard in guards for n in ast.walk(guard)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("s2s.frontend"):
            folder = [*str(node.module).split("."), ""][2]
            allowed = folders[: folders.index(path.parent.name) + 1]
            assert id(node) in for_types or folder in allowed, f"{path.name} imports {node.module}"


@pytest.mark.parametrize(
    ("library", "allowed"),
    [("libcst", {"frontend", "emit"}), ("black", {"emit"}), ("click", {"cli"})],
)
def test_each_library_has_its_place(library: str, allowed: set[str]) -> None:
    for path in MODULES:
        names = {
            (a.name if isinstance(node, ast.Import) else node.module or "").split(".")[0]
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for a in node.names
        }
        if library in names:
            assert path.relative_to(PACKAGE).parts[0].removesuffix(".py") in allowed, path


@pytest.mark.parametrize("module", ["s2s", "s2s.hook"])
def test_light_modules_load_nothing_heavy(module: str) -> None:
    script = f"import sys, {module}; print([m for m in ('numpy', 'libcst', 'black', 'click') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    assert run.stdout.strip() == "[]"
