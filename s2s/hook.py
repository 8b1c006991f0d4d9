"""The import hook: `import model_grad` where only model.py exists.

    import s2s.hook

    s2s.hook.install()
    from model_grad import loss_grad

The finder is appended to `sys.meta_path`: it is asked only when no other finder knows the module, so a written
model_grad.py wins, and no import that works today changes. `import pkg.model_grad` asks the other finders for
`pkg.model` and takes its source from their loader; nothing is read before the module is executed, and model.py is
executed only where the derivative imports a name from it that is not a literal.

The text is cached as a file, `__pycache__/model_grad.s2s.py`, keyed by the content of the source and of the modules of
the project that were read for it, the version of s2s and the options; never by time. Its byte code stands beside it,
keyed by the text. Where that folder can't be written: `S2S_CACHE_DIR`, then the user's cache folder, then memory; under
`PYTHONDONTWRITEBYTECODE` only `S2S_CACHE_DIR` is written.

This module imports neither numpy nor libcst nor black; they are loaded when a text has to be made.
"""

from __future__ import annotations

import contextlib  # importlib.util has loaded it
import importlib.machinery
import importlib.util
import os
import stat
import sys
import threading

from s2s import __version__

TYPE_CHECKING = False  # `typing` itself takes longer to import than everything here
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import CodeType, ModuleType, TracebackType
    from typing import Protocol

    class _Source(Protocol):
        def get_data(self, path: str) -> bytes: ...


SUFFIX = "_grad"
EMIT = ("grad", "value_and_grad")
KEY = "# s2s:key "
READ = "# s2s:read "
LIBRARIES = ("site-packages", "dist-packages")
STANDARD = os.path.dirname(os.path.realpath(os.__file__))


class S2SImportError(ImportError):
    """The source exists and can't be differentiated: the text is the diagnostic of the command line."""


class Handle:
    """An installed hook: a context manager, or `.uninstall()`. Modules imported meanwhile stay."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder

    def uninstall(self) -> None:
        sys.meta_path[:] = [f for f in sys.meta_path if f is not self.finder]

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, tb: TracebackType | None) -> None:
        self.uninstall()


def install(
    packages: str | Sequence[str] | None = None, *, exclude: str | Sequence[str] = (), emit: Sequence[str] | None = None
) -> Handle:
    """Makes `X_grad` importable for every importable source module X.

    packages: names of packages or modules to which the hook is limited. Default: all sources outside the standard
              library and site-packages; inside those only what is named here.
    exclude:  names of packages or modules that are left alone.
    emit:     what a module gets for each of its functions, as `--emit` of the command line. Default: what the
              function's own `# s2s:` comment says, else grad and value_and_grad.

    Installing twice with the same arguments gives the handle of the first time.
    """
    finder = Finder(_names(packages), _names(exclude) or (), None if emit is None else tuple(emit))
    for other in sys.meta_path:
        if isinstance(other, Finder) and other.settings == finder.settings:
            return other.handle
    sys.meta_path.append(finder)
    return finder.handle


def _names(given: str | Sequence[str] | None) -> tuple[str, ...] | None:
    return (given,) if isinstance(given, str) else None if given is None else tuple(given)


def _within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == p or name.startswith(p + ".") for p in packages)


class Finder:
    """Finds `X_grad` through the other finders' answer for X."""

    def __init__(
        self, packages: tuple[str, ...] | None, exclude: tuple[str, ...], emit: tuple[str, ...] | None
    ) -> None:
        self.settings = (packages, exclude, emit)
        self.handle = Handle(self)
        self.busy = threading.local()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        packages, exclude, emit = self.settings
        base = fullname.removesuffix(SUFFIX)
        # the question to the other finders may come back to us, through a finder that imports
        if base == fullname or not base.rpartition(".")[2] or getattr(self.busy, "now", False):
            return None
        if (packages is not None and not _within(base, packages)) or _within(base, exclude):
            return None
        self.busy.now = True
        try:
            found = self._ask_others(base, path)
        finally:
            self.busy.now = False
        if found is None and base.endswith(SUFFIX) and (once := self.find_spec(base, path)) is not None:
            return importlib.machinery.ModuleSpec(fullname, Twice(base), origin=once.origin)  # type: ignore[arg-type]
        if found is None or found.origin is None or not found.origin.endswith(".py"):
            return None
        if not hasattr(found.loader, "get_data") or (packages is None and _library(found.origin)):
            return None
        loader = Loader(fullname, base, found.origin, found.loader, emit)  # type: ignore[arg-type]
        spec = importlib.machinery.ModuleSpec(fullname, loader, origin=loader.path)  # type: ignore[arg-type]
        spec.has_location = True
        return spec

    def _ask_others(self, name: str, path: Sequence[str] | None) -> importlib.machinery.ModuleSpec | None:
        for finder in list(sys.meta_path):
            ask = getattr(finder, "find_spec", None)
            if ask is None or isinstance(finder, Finder):
                continue
            spec: importlib.machinery.ModuleSpec | None = ask(name, path, None)
            if spec is not None:
                return spec
        return None

    def invalidate_caches(self) -> None:
        """Part of the protocol of finders; nothing is kept here."""


def _library(origin: str) -> bool:
    parts = os.path.normpath(origin).split(os.sep)
    return any(p in LIBRARIES for p in parts) or os.path.realpath(origin).startswith(STANDARD + os.sep)


class Twice:
    """Refuses `model_grad_grad`: the text of `model_grad` is not a source."""

    def __init__(self, base: str) -> None:
        self.base = base

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        source = self.base.removesuffix(SUFFIX)
        message = (
            f"{self.base} is itself a derivative. For second derivatives write `# s2s: emit=hvp` (or hessian) above "
            f"the function in {source.rpartition('.')[2]}.py, and take `f_hvp` from {self.base}"
        )
        raise S2SImportError(message, name=module.__name__)


class Loader:
    """Loads the derivatives of one source module from the cached text, or makes that text."""

    def __init__(self, name: str, base: str, origin: str, source: _Source, emit: tuple[str, ...] | None) -> None:
        self.name, self.base, self.origin, self.source, self.emit = name, base, origin, source, emit
        self.path = self._place()
        self.text = ""
        self.on_disk = False
        self.reads: dict[str, str] = {}  # other modules that the text was made with, and digests of their sources

    # the protocol of loaders

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(self._code(module), module.__dict__)

    def is_package(self, name: str) -> bool:
        return False

    def get_filename(self, name: str | None = None) -> str:
        return self.path

    def get_source(self, name: str | None = None) -> str:
        """The generated text; `linecache` shows its lines in tracebacks also where no file could be written."""
        if not self.text:
            self._load()
        return self.text

    def get_data(self, path: str) -> bytes:
        if path == self.path:
            return self.get_source().encode("utf-8")
        return self.source.get_data(path)

    def get_code(self, name: str | None = None) -> CodeType:
        """The compiled text, from a file beside the cached text where it is there and of this very text."""
        import marshal

        text = self.get_source()
        tagged = os.path.basename(importlib.util.cache_from_source(self.path))  # the interpreter and its -O
        compiled = os.path.join(os.path.dirname(self.path), tagged)
        parts = "\0".join((__version__, self.base, self.path, text)).encode("utf-8", "surrogateescape")
        key = importlib.util.MAGIC_NUMBER + self._digest(parts).encode()
        data = _read_private(compiled) if self.on_disk else None
        if data is not None and data.startswith(key):
            with contextlib.suppress(ValueError, EOFError, TypeError):
                code: CodeType = marshal.loads(data[len(key) :])
                return code
        code = compile(text, self.path, "exec", dont_inherit=True)
        if self.on_disk and not sys.dont_write_bytecode:
            _write(compiled, key + marshal.dumps(code), public=self.path == self._place())
        return code

    # its work

    def _code(self, module: ModuleType) -> CodeType:
        # read anew each time: a reload sees an edited source
        self._load()
        module.__file__ = self.path
        if module.__spec__ is not None:
            module.__spec__.origin = self.path
        _forget_lines(self.path)
        return self.get_code()

    def _load(self) -> None:
        data = self.source.get_data(self.origin)
        key = self._key(data)
        first = f"{KEY}{key}\n".encode()
        for path, _ in self._places():
            cached = _read_private(path)
            if cached is not None and cached.startswith(first) and self._still_reads(cached[len(first) :]):
                with contextlib.suppress(UnicodeDecodeError):
                    self.path, self.text, self.on_disk = path, cached.decode("utf-8"), True
                    return
        text = self._generate(data)
        noted = READ + " ".join(f"{name}={digest}" for name, digest in self.reads.items()) + "\n"
        text = first.decode() + (noted if self.reads else "") + text
        for path, public in self._places(writing=True):
            if _write(path, text.encode("utf-8"), public):
                self.path, self.text, self.on_disk = path, text, True
                return
        self.path, self.text, self.on_disk = self._place(), text, False

    def _place(self) -> str:
        return os.path.join(_pycache(self.origin), self.name.rpartition(".")[2] + ".s2s.py")

    def _key(self, data: bytes) -> str:
        return self._digest("\0".join((__version__, self.name, ",".join(self.emit or ()), "")).encode() + data)

    def _still_reads(self, text: bytes) -> bool:
        """Whether the other modules that a cached text was made with are what they were."""
        if not text.startswith(READ.encode()):
            return True
        noted = text.partition(b"\n")[0][len(READ) :].decode("utf-8", "replace").split()
        return all(self._digest_of(name) == digest for name, _, digest in (n.partition("=") for n in noted))

    def _digest_of(self, module: str) -> str:
        """Of the sources that the name of another module may mean here, and of where they are."""
        from s2s import places

        found: list[bytes] = []
        for path in places.of(module, os.path.dirname(os.path.abspath(self.origin))):
            with contextlib.suppress(OSError), open(path, "rb") as f:
                found += [os.fsencode(path), f.read()]
        return self._digest(b"\0".join(found))[:16] if found else "-"

    def _digest(self, data: bytes) -> str:
        # hashlib loads OpenSSL, which takes longer than all else in a cached import; `random` does the same
        for module in ("_sha2", "_sha256", "hashlib"):
            with contextlib.suppress(ImportError):
                sha256 = importlib.import_module(module).sha256
                break
        digest: str = sha256(data).hexdigest()
        return digest

    def _places(self, writing: bool = False) -> Iterator[tuple[str, bool]]:
        """Where the cached text may be, in order of preference, and whether others may read it."""
        name = self.name.rpartition(".")[2]
        if not (writing and sys.dont_write_bytecode):
            yield self._place(), True
        where = self._digest(os.fsencode(os.path.abspath(self.origin)))[:16]
        named = os.environ.get("S2S_CACHE_DIR")
        if named:
            yield os.path.join(named, f"{name}-{where}.s2s.py"), False
        if not (writing and sys.dont_write_bytecode):
            yield os.path.join(_user_cache(), f"{name}-{where}.s2s.py"), False

    def _generate(self, data: bytes) -> str:
        from pathlib import Path

        from s2s import files, pipeline
        from s2s.errors import S2SError

        package, _, stem = self.base.rpartition(".")
        source, filename = "", stem + ".py"  # of a package too, whose file is __init__.py
        read = files.reader(Path(self.origin).parent)

        self.reads = {}

        def noted(module: str) -> str | None:
            self.reads[module] = self._digest_of(module)  # first: what changes now is read again next time
            return read(module)

        request = pipeline.Request(
            filename, emit=self.emit, package=bool(package), stubs=True, default_emit=EMIT, read=noted
        )
        try:
            source = files.decode(data, filename)
            return pipeline.differentiate(source, request)
        except S2SError as e:
            shown = "\n\n".join(d.render(self.origin, e.source or source) for d in e.diagnostics)
            message = f"{self.base} can't be differentiated\n{shown}"
        except Exception as e:
            message = f"{self.base} can't be differentiated: error[S901]: a bug in s2s: {type(e).__name__}: {e}"
            raise S2SImportError(message, name=self.name, path=self.origin) from e
        raise S2SImportError(message, name=self.name, path=self.origin)


def _pycache(origin: str) -> str:
    # honours PYTHONPYCACHEPREFIX
    return os.path.dirname(importlib.util.cache_from_source(os.path.abspath(origin)))


def _user_cache() -> str:
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA") or home, "s2s", "Cache")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Caches", "s2s")
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache"), "s2s")


def _read_private(path: str) -> bytes | None:
    """The content of a cached file that nobody but this user (or root) can have written."""
    try:
        with open(path, "rb") as f:
            info = os.fstat(f.fileno())
            if not stat.S_ISREG(info.st_mode):
                return None
            if os.name == "posix" and (info.st_uid not in (os.getuid(), 0) or info.st_mode & stat.S_IWOTH):
                return None
            return f.read()
    except OSError:
        return None


def _write(path: str, data: bytes, public: bool) -> bool:
    """Writes a cached file as one step; False where that can't be done, which is never an error."""
    folder = os.path.dirname(path)
    temporary = os.path.join(folder, f".s2s-{os.getpid()}-{threading.get_ident()}.tmp")
    try:
        os.makedirs(folder, mode=0o777 if public else 0o700, exist_ok=True)
        flags = os.O_CREAT | os.O_TRUNC | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(temporary, flags, 0o666 if public else 0o600), "wb") as f:
            f.write(data)
        os.replace(temporary, path)
        return True
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        return False


def _forget_lines(path: str) -> None:
    linecache = sys.modules.get("linecache")
    if linecache is not None:
        linecache.cache.pop(path, None)
