"""The import hook: what it finds, what it leaves alone, its cache, and its cost."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import subprocess
import sys
import textwrap
import threading
import traceback
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from s2s import hook, pipeline

ROOT = Path(__file__).resolve().parent.parent
SOURCE = """import numpy as np


def energy(x, k):
    return 0.5 * k * np.sum(x**2)
"""
DATA = """import numpy as np

DATA = np.arange(3.0)
LOADED = open("loaded", "a").write("x")


def misfit(x):
    return np.sum((x - DATA) ** 2)
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on sys.path; modules and finders are as before afterwards."""
    before, finders = set(sys.modules), list(sys.meta_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "model", raising=False)  # the primal of a test before
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user_cache"))
    monkeypatch.delenv("S2S_CACHE_DIR", raising=False)
    write(tmp_path / "model.py", SOURCE)
    yield tmp_path
    sys.meta_path[:] = finders
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) is None or str(tmp_path) in str(sys.modules[name].__file__):
            del sys.modules[name]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    importlib.invalidate_caches()


def count(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are differentiated from now on."""
    seen: list[str] = []
    real = pipeline.differentiate

    def counted(text: str, request: pipeline.Request) -> object:
        seen.append(request.filename)
        return real(text, request)

    monkeypatch.setattr(pipeline, "differentiate", counted)
    return seen


def fresh(name: str) -> object:
    """Imports a module anew, as a new process would."""
    sys.modules.pop(name, None)
    return importlib.import_module(name)


# ---------------------------------------------------------------- finding


def test_import_of_derivatives(place: Path) -> None:
    hook.install()
    import model_grad  # type: ignore[import-not-found]
    import numpy as np

    np.testing.assert_allclose(model_grad.energy_grad(np.array([1.0, 2.0]), 3.0)[0], [3.0, 6.0], rtol=1e-6)
    value, _ = model_grad.energy_value_and_grad(np.array([1.0, 2.0]), 3.0)
    assert value == 7.5
    assert "model" not in sys.modules
    assert Path(model_grad.__file__) == place / "__pycache__" / "model_grad.s2s.py"
    assert inspect.getsource(model_grad.energy_grad).startswith("def energy_grad(")


def test_without_the_hook_nothing_is_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("model_grad")


def test_a_written_file_wins(place: Path) -> None:
    write(place / "model_grad.py", "mine = True\n")
    hook.install()
    assert fresh("model_grad").mine  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["absent_grad", "_grad", "json_grad", "sys_grad", "numpy_grad"])
def test_what_is_not_found(name: str) -> None:
    hook.install()
    with pytest.raises(ModuleNotFoundError) as e:
        importlib.import_module(name)
    assert e.value.name == name


def test_finding_reads_and_runs_nothing(place: Path) -> None:
    write(place / "broken.py", "raise SystemExit\n")
    hook.install()
    spec = importlib.util.find_spec("broken_grad")
    assert spec is not None and "broken" not in sys.modules
    assert not (place / "__pycache__").exists()


def test_packages_and_relative_imports(place: Path) -> None:
    write(place / "pkg" / "__init__.py", "")
    write(place / "pkg" / "sub" / "__init__.py", "")
    write(place / "pkg" / "model.py", SOURCE)
    write(place / "pkg" / "sub" / "deep.py", SOURCE)
    write(place / "pkg" / "user.py", "from . import model_grad\nfrom .sub.deep_grad import energy_grad\n")
    write(place / "space" / "inner.py", SOURCE)
    hook.install()
    user = importlib.import_module("pkg.user")
    assert user.model_grad.__name__ == "pkg.model_grad" and user.model_grad.__package__ == "pkg"
    assert callable(user.energy_grad)
    assert callable(importlib.import_module("space.inner_grad").energy_grad)
    assert "pkg.model" not in sys.modules


def test_names_from_the_source_come_from_it_and_run_it_once(place: Path) -> None:
    for folder, module in (("", "data"), ("pack", "pack.data")):
        write(place / folder / "data.py", DATA)
        if folder:
            write(place / folder / "__init__.py", "")
        hook.install()
        (place / "loaded").unlink(missing_ok=True)
        derived = importlib.import_module(module + "_grad")
        assert (place / "loaded").read_text() == "x"
        source = importlib.import_module(module)
        assert derived.DATA is source.DATA
        assert (place / "loaded").read_text() == "x"


def test_zip(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(place / "lib.zip", "w") as z:
        z.writestr("zipped.py", SOURCE)
    monkeypatch.syspath_prepend(str(place / "lib.zip"))
    hook.install()
    module = fresh("zipped_grad")
    assert "def energy_grad" in inspect.getsource(module.energy_grad)  # type: ignore[attr-defined]


def test_packages_and_exclude_limit_the_hook(place: Path) -> None:
    write(place / "pkg" / "__init__.py", "")
    write(place / "pkg" / "model.py", SOURCE)
    with hook.install("pkg"):
        assert importlib.util.find_spec("model_grad") is None
        assert importlib.util.find_spec("pkg.model_grad") is not None
    with hook.install(exclude=["pkg"]):
        assert importlib.util.find_spec("model_grad") is not None
        assert importlib.util.find_spec("pkg.model_grad") is None


def test_libraries_are_left_alone_unless_named(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(place / "site-packages" / "lib.py", SOURCE)
    monkeypatch.syspath_prepend(str(place / "site-packages"))
    with hook.install():
        assert importlib.util.find_spec("lib_grad") is None
        assert importlib.util.find_spec("textwrap_grad") is None
    with hook.install(["lib"]):
        assert importlib.util.find_spec("lib_grad") is not None


def test_install_twice_and_uninstall() -> None:
    finders = list(sys.meta_path)
    first = hook.install()
    assert hook.install() is first
    assert sys.meta_path[:-1] == finders
    first.uninstall()
    first.uninstall()
    assert sys.meta_path == finders
    with hook.install():
        fresh("model_grad")
    assert sys.meta_path == finders
    with pytest.raises(ModuleNotFoundError):
        fresh("model_grad")


# ---------------------------------------------------------------- refusals


def test_a_source_that_cannot_be_read_is_an_import_error(place: Path) -> None:
    write(place / "bad.py", "def f(x:\n    return x\n")
    hook.install()
    with pytest.raises(ImportError) as e:
        importlib.import_module("bad_grad")
    assert e.value.name == "bad_grad" and e.value.path == str(place / "bad.py")
    assert "error[S101]" in str(e.value) and f"{place / 'bad.py'}:1:" in str(e.value)
    assert "bad_grad" not in sys.modules
    write(place / "bad.py", SOURCE)
    assert callable(fresh("bad_grad").energy_grad)  # type: ignore[attr-defined]


def test_a_refused_function_raises_its_diagnostic_when_called(place: Path) -> None:
    write(place / "mixed.py", SOURCE + "\n\ndef bad(x):\n    with x:\n        pass\n    return x\n")
    hook.install()
    module = fresh("mixed_grad")
    assert module.energy_value_and_grad(2.0, 3.0)[0] == 6.0  # type: ignore[attr-defined]
    for name in ("bad_grad", "bad_value_and_grad"):
        with pytest.raises(Exception, match=r"S2\d\d"):
            getattr(module, name)(1.0)


def test_the_derivative_of_a_derivative_is_refused_with_the_way_to_second_order(place: Path) -> None:
    hook.install()
    with pytest.raises(hook.S2SImportError, match=r"emit=hvp.* above the function in model\.py"):
        fresh("model_grad_grad")
    with pytest.raises(ModuleNotFoundError):
        fresh("nothing_grad_grad")
    write(place / "model.py", SOURCE.replace("def energy", "# s2s: emit=hvp\ndef energy"))
    assert hasattr(fresh("model_grad"), "energy_hvp")


# ---------------------------------------------------------------- the cache


def test_the_text_is_made_once(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = count(monkeypatch)
    hook.install()
    fresh("model_grad")
    os.utime(place / "model.py", (1, 1))
    fresh("model_grad")
    assert made == ["model.py"]
    cached = place / "__pycache__" / "model_grad.s2s.py"
    assert cached.read_text().startswith("# s2s:key ")
    assert [p.name for p in cached.parent.iterdir() if p.name.endswith(".s2s.py")] == [cached.name]
    assert not [p.name for p in cached.parent.iterdir() if p.name.endswith(".tmp")]


def test_the_text_is_made_anew_when_a_module_changes_that_it_was_made_with(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(place / "uses.py", "from parts import cube\n\ndef f(x):\n    return cube(x) + 1.0\n")
    write(place / "parts.py", "def cube(x):\n    return x**3\n")
    made = count(monkeypatch)
    hook.install()

    def slope() -> float:
        for name in ("parts", "uses", "uses_grad"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        return float(fresh("uses_grad").f_grad(2.0))  # type: ignore[attr-defined]

    assert [slope(), slope()] == [12.0, 12.0] and made == ["uses.py"]
    cached = place / "__pycache__" / "uses_grad.s2s.py"
    assert cached.read_text().split("\n")[1].startswith("# s2s:read ")
    write(place / "parts.py", "def cube(x):\n    return 5.0 * x**3\n")
    assert [slope(), slope()] == [60.0, 60.0] and made == ["uses.py"] * 2
    (place / "parts").mkdir()  # a package of that name comes first for Python, and a file of its own for s2s
    write(place / "parts" / "__init__.py", "def cube(x):\n    return 7.0 * x**3\n")
    assert slope() == 84.0
    cached.write_bytes(cached.read_bytes().split(b"\n")[0] + b"\n# s2s:read parts=\xff")  # torn
    assert slope() == 84.0


def test_reload_sees_an_edit_of_the_same_size_and_time(place: Path) -> None:
    hook.install()
    module = fresh("model_grad")
    assert module.energy_value_and_grad(2.0, 1.0)[0] == 2.0  # type: ignore[attr-defined]
    when = (place / "model.py").stat()
    write(place / "model.py", SOURCE.replace("0.5", "1.5"))
    os.utime(place / "model.py", ns=(when.st_atime_ns, when.st_mtime_ns))
    importlib.reload(module)  # type: ignore[arg-type]
    assert module.energy_value_and_grad(2.0, 1.0)[0] == 6.0  # type: ignore[attr-defined]
    write(place / "model.py", SOURCE)
    importlib.reload(module)  # type: ignore[arg-type]
    assert module.energy_value_and_grad(2.0, 1.0)[0] == 2.0  # type: ignore[attr-defined]


def test_options_are_part_of_the_key(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hook.install():
        fresh("model_grad")
    with hook.install(emit=("jvp",)):
        module = fresh("model_grad")
        assert hasattr(module, "energy_jvp") and not hasattr(module, "energy_grad")


def test_a_cache_that_cannot_be_written_is_no_error(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "__pycache__").write_text("a file")
    (place / "user_cache").write_text("a file")
    made = count(monkeypatch)
    hook.install()
    module = fresh("model_grad")
    assert made == ["model.py"]
    assert "def energy_grad" in inspect.getsource(module.energy_grad)  # type: ignore[attr-defined]


def test_where_the_cache_goes(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hook.install()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    fresh("model_grad")
    assert sorted(p.name for p in place.iterdir()) == ["model.py"]
    monkeypatch.setenv("S2S_CACHE_DIR", str(place / "named"))
    made = count(monkeypatch)
    fresh("model_grad")
    fresh("model_grad")
    assert made == ["model.py"] and len(list((place / "named").glob("*.s2s.py"))) == 1
    assert (place / "named").stat().st_mode & 0o077 == 0
    monkeypatch.delenv("S2S_CACHE_DIR")
    monkeypatch.delitem(sys.modules, "model", raising=False)  # the primal of a test before
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (place / "__pycache__").write_text("a file")
    fresh("model_grad")
    assert sorted(p.suffix for p in (place / "user_cache" / "s2s").iterdir()) == [".py", ".pyc"]


def test_pycache_prefix(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(place / "prefix"))
    hook.install()
    assert str(place / "prefix") in fresh("model_grad").__file__  # type: ignore[attr-defined]
    assert not (place / "__pycache__").exists()


def test_a_cache_that_others_can_write_is_not_run(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hook.install()
    fresh("model_grad")
    cached = place / "__pycache__" / "model_grad.s2s.py"
    cached.write_text(cached.read_text() + "\nevil = True\n")
    assert fresh("model_grad").evil  # type: ignore[attr-defined]
    cached.chmod(0o666)
    assert not hasattr(fresh("model_grad"), "evil")


def test_the_byte_code_is_that_of_the_text(place: Path) -> None:
    hook.install()
    fresh("model_grad")
    text, code = place / "__pycache__" / "model_grad.s2s.py", next((place / "__pycache__").glob("model_grad*.pyc"))
    text.write_text(text.read_text() + "\nadded = 1\n")
    assert fresh("model_grad").added == 1  # type: ignore[attr-defined]
    good = code.read_bytes()
    for bad in (b"", good[:80], good[: len(good) // 2], b"\0" * len(good)):
        code.write_bytes(bad)
        assert fresh("model_grad").added == 1  # type: ignore[attr-defined]
    code.write_bytes(good)
    code.chmod(0o666)
    assert fresh("model_grad").added == 1  # type: ignore[attr-defined]


def test_a_torn_cache_is_made_anew(place: Path) -> None:
    hook.install()
    fresh("model_grad")
    (place / "__pycache__" / "model_grad.s2s.py").write_bytes(b"# s2s:key 12\n\xff")
    assert callable(fresh("model_grad").energy_grad)  # type: ignore[attr-defined]


# ---------------------------------------------------------------- surroundings


def test_threads_make_one_module(monkeypatch: pytest.MonkeyPatch) -> None:
    made = count(monkeypatch)
    hook.install()
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(importlib.import_module("model_grad"))) for _ in range(12)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert made == ["model.py"] and len(set(map(id, found))) == 1 and len(found) == 12


@pytest.mark.parametrize("in_memory", [False, True])
def test_a_traceback_shows_the_generated_line(place: Path, in_memory: bool) -> None:
    if in_memory:
        (place / "__pycache__").write_text("a file")
        (place / "user_cache").write_text("a file")
    hook.install()
    module = fresh("model_grad")
    try:
        module.energy_grad(None, 1.0)  # type: ignore[attr-defined]
    except TypeError as e:
        frames = [f for f in traceback.extract_tb(e.__traceback__) if f.filename == module.__file__]  # type: ignore[attr-defined]
        assert frames and frames[-1].line and frames[-1].line in inspect.getsource(module)  # type: ignore[arg-type]
    else:
        pytest.fail("no TypeError")


def run(script: str, *flags: str, **env: str) -> str:
    settings = {
        **os.environ,
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.getcwd(), os.environ.get("PYTHONPATH", "")]),
        **env,
    }
    done = subprocess.run(
        [sys.executable, *flags, "-c", textwrap.dedent(script)], env=settings, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


CACHED = """
    import sys, time
    import s2s.hook
    s2s.hook.install()
    import model_grad
    print([m for m in ("libcst", "black", "s2s.pipeline") if m in sys.modules], "model" in sys.modules)
"""


def test_a_cached_import_loads_nothing_heavy() -> None:
    run(CACHED)
    assert run(CACHED) == "[] False\n"


def test_many_processes_at_once(place: Path) -> None:
    env = {
        **os.environ,
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(place), os.environ.get("PYTHONPATH", "")]),
    }
    children = [
        subprocess.Popen([sys.executable, "-c", textwrap.dedent(CACHED)], env=env, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    for child in children:
        _, err = child.communicate()
        assert child.returncode == 0, err.decode()
    names = {p.name for p in (place / "__pycache__").iterdir() if "_grad" in p.name or p.name.endswith(".tmp")}
    assert names == {"model_grad.s2s.py", f"model_grad.s2s.{sys.implementation.cache_tag}.pyc"}
