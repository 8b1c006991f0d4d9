"""Reading a primal, judging a written file, and writing one so that it is whole or untouched.

A written file is in one of four states: absent, clean (as s2s wrote it), edited (by hand, below its header) or foreign
(not written by s2s). Only an absent or clean file is written without `--force`.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from s2s import places
from s2s.emit import header
from s2s.errors import S2SError
from s2s.frontend.text.source import MAX_BYTES
from s2s.frontend.text.source import decode as decode  # the text of a source file; raises S2SError (S102, S103, S105)

TEMPORARY = ".s2s-"  # our temporary files: .s2s-XXXXXXXX.tmp, removed by a later run when a kill has left them
STALE_SECONDS = 3600
SKIPPED_FOLDERS = {"__pycache__", "node_modules", "site-packages", "build", "dist"}


class State(Enum):
    ABSENT = "absent"
    CLEAN = "clean"
    EDITED = "edited"
    FOREIGN = "foreign"


@dataclass(frozen=True, slots=True)
class Written:
    """A file that a run would write: its state, its header where it is ours, its text ("" where absent)."""

    path: Path
    state: State
    header: header.Header | None = None
    text: str = ""


class FileProblem(Exception):
    """A file that can't be read or written: the message names it. The command line ends with exit code 2."""


def derivative_path(primal: Path) -> Path:
    """energy.py -> energy_grad.py, beside it."""
    return primal.with_name(primal.stem + "_grad.py")


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file, at most one more than a source may have; raises FileProblem otherwise."""
    try:
        # O_NONBLOCK: opening a FIFO must not wait for a writer
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except OSError as e:
        raise FileProblem(f"can't read {path}: {e.strerror or e}") from e
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise FileProblem(f"can't read {path}: not a regular file")
    with os.fdopen(fd, "rb") as f:
        try:
            # one byte more than is accepted: `decode` refuses it, without reading a huge file
            return f.read(MAX_BYTES + 1)
        except OSError as e:
            raise FileProblem(f"can't read {path}: {e.strerror or e}") from e


def inspect(path: Path) -> Written:
    """The state of a file that a run would write. Raises FileProblem where it exists and can't be read."""
    if not os.path.lexists(path):
        return Written(path, State.ABSENT)
    if path.is_symlink() and not path.exists():
        return Written(path, State.FOREIGN)
    if path.is_dir():
        raise FileProblem(f"can't write {path}: it is a folder")
    try:
        text = read_bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        return Written(path, State.FOREIGN)
    found = header.read(text)
    if found is None:
        # an empty file holds nothing that could be lost
        return Written(path, State.FOREIGN if text.strip() else State.ABSENT, None, text)
    return Written(path, State.EDITED if found.edited else State.CLEAN, found, text)


def write(path: Path, text: str, *, keep_original: bool = False) -> None:
    """Replaces the content of `path` as one step: a reader, or a kill, sees the old file or the new one.

    The temporary file stands in the folder of the real target, so that a symbolic link stays one; the mode of an
    existing file is kept. With `keep_original` the old file is kept as `NAME.orig`. UTF-8 and LF always.
    Raises FileProblem; the old file is then as it was.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not os.access(target, os.W_OK):
        raise FileProblem(f"can't write {path}: it is read-only")
    try:
        remove_stale_temporaries(target.parent)
        if keep_original and target.exists():
            _put(target.with_name(target.name + ".orig"), target.read_bytes(), _mode(target))
        _put(target, text.encode("utf-8"), _mode(target))
    except OSError as e:
        raise FileProblem(f"can't write {path}: {e.strerror or e}") from e


def _put(target: Path, data: bytes, mode: int) -> None:
    fd, temporary = tempfile.mkstemp(prefix=TEMPORARY, suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(fd, "wb") as f:
            f.write(data)
            f.flush()
            os.fsync(f.fileno())
        os.chmod(temporary, mode)
        _replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _mode(target: Path) -> int:
    """The mode of the file that is replaced, or the one that `open` would give a new file."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        return 0o666 & ~umask


def _replace(temporary: str, target: Path) -> None:
    """os.replace, tried again for a moment on Windows, where a reader can hold the target."""
    for wait in (0.01, 0.05, 0.2) if os.name == "nt" else ():
        try:
            return os.replace(temporary, target)
        except PermissionError:
            time.sleep(wait)
    os.replace(temporary, target)


def remove_stale_temporaries(folder: Path) -> None:
    """Removes temporary files of ours that a killed run left behind more than an hour ago."""
    now = time.time()
    for entry in folder.glob(TEMPORARY + "*.tmp"):
        with contextlib.suppress(OSError):
            if now - entry.lstat().st_mtime > STALE_SECONDS:
                entry.unlink()


def same_file(a: Path, b: Path) -> bool:
    """True where two paths name one file, through links as well."""
    try:
        return os.path.samefile(a, b)
    except OSError:
        return os.path.abspath(a) == os.path.abspath(b)


def python_files(folder: Path) -> Iterator[Path]:
    """The .py files under a folder in sorted order, less hidden folders, environments and build results."""
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(
            d
            for d in folders
            if not d.startswith(".")
            and d not in SKIPPED_FOLDERS
            and not os.path.exists(os.path.join(here, d, "pyvenv.cfg"))
        )
        for name in sorted(names):
            path = Path(here, name)
            if name.endswith(".py") and path.is_file():
                yield path


# ---------------------------------------------------------------- rules


@dataclass(frozen=True, slots=True)
class Rules:
    """A file of rules that a command line names. Nothing else names one: it is going to be executed."""

    path: str
    name: str
    text: str


def rules(path: str) -> Rules:
    """Reads a file of rules. Raises FileProblem, S2SError (S102, S103, S105)."""
    return Rules(path, Path(path).name, decode(read_bytes(Path(path)), path))


# ---------------------------------------------------------------- other modules


def reader(folder: Path) -> Callable[[str], str | None]:
    """The text of a module that a file in `folder` imports, by its name; looked for as `s2s.places` says."""

    def read(name: str) -> str | None:
        return next((t for path in places.of(name, str(folder)) if (t := text_of(Path(path))) is not None), None)

    return read


def text_of(path: Path) -> str | None:
    """The text of a Python file, None where there is none that can be read."""
    try:
        return decode(read_bytes(path), path.name) if path.is_file() else None
    except (FileProblem, S2SError):
        return None
