"""Deep and long programs, and many threads: nothing ends the process, and nothing takes quadratic time."""

from __future__ import annotations

import ast
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from s2s import deep, pipeline
from s2s.deep import in_deep_thread
from s2s.frontend.text.origins import Origins
from s2s.pipeline import Request, differentiate, differentiate_unformatted

pytestmark = pytest.mark.table

ROOT = Path(__file__).resolve().parent.parent


def depth(n: int) -> int:
    return 0 if n == 0 else 1 + depth(n - 1)


def stack_size() -> int:
    size = threading.stack_size()  # to ask is to set it to the default
    threading.stack_size(size)
    return size


def test_recursion_goes_deep_and_the_limit_is_as_before() -> None:
    before, size = sys.getrecursionlimit(), stack_size()
    assert in_deep_thread(lambda: depth(40_000)) == 40_000
    assert sys.getrecursionlimit() == before and stack_size() == size


def test_an_exception_comes_out_and_the_limit_is_as_before() -> None:
    before = sys.getrecursionlimit()
    with pytest.raises(ZeroDivisionError):
        in_deep_thread(lambda: 1 // 0)
    with pytest.raises(RecursionError):
        in_deep_thread(lambda: depth(10**7))
    assert sys.getrecursionlimit() == before


def test_work_inside_work_runs_where_it_is() -> None:
    inside: list[threading.Thread] = []
    in_deep_thread(lambda: in_deep_thread(lambda: inside.append(threading.current_thread())))
    assert inside[0].name == "s2s" and inside[0].daemon


def test_many_threads() -> None:
    before = sys.getrecursionlimit()
    seen: list[int] = []

    def work() -> None:
        seen.append(in_deep_thread(lambda: depth(20_000)))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert seen == [20_000] * 8
    assert sys.getrecursionlimit() == before


def test_threads_write_the_same_text() -> None:
    source = "import numpy as np\n\n\ndef f(x, y):\n    return np.sum(np.sin(x) * y)\n"
    wanted = differentiate(source, Request())
    made: list[str] = []
    threads = [threading.Thread(target=lambda: made.append(differentiate(source, Request()))) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert made == [wanted] * 4


def test_a_limit_that_somebody_else_sets_meanwhile_stays() -> None:
    before = sys.getrecursionlimit()
    try:
        in_deep_thread(lambda: sys.setrecursionlimit(before + 123))
        assert sys.getrecursionlimit() == before + 123
    finally:
        sys.setrecursionlimit(before)


def test_less_memory_gives_a_smaller_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    start = threading.Thread.start
    refused: list[int] = []

    def starts(self: threading.Thread) -> None:
        if stack_size() > 64 << 20:
            refused.append(stack_size())
            raise RuntimeError("can't start new thread")
        start(self)

    monkeypatch.setattr(threading.Thread, "start", starts)
    before = sys.getrecursionlimit()
    assert in_deep_thread(lambda: depth(1500)) == 1500
    assert refused == list(deep.STACKS[:2]) and sys.getrecursionlimit() == before


# ---------------------------------------------------------------- long and deep programs


def chain(last: str, line: str) -> str:
    branches = "".join(f"    {'elif' if i else 'if'} n == {i}:\n        {line.format(i)}\n" for i in range(500))
    return "def f(x: float, n: int):\n" + branches + last


LONG = {
    "a sum of 1,000 terms": "def f(x: float, y: float):\n    return "
    + " + ".join(f"{i}.0 * x" if i % 2 else f"y * {i}.0" for i in range(1000))
    + "\n",
    "500 branches": chain("    else:\n        y = x\n    return y * y\n", "y = x * {}.0"),
    "500 branches that return": chain("    return x\n", "return x * {}.0"),
    "200 transposes": f"import numpy as np\n\n\ndef f(x):\n    return np.sum(x{'.T' * 200})\n",
    "180 parentheses": f"def f(x: float):\n    return {'-(' * 180}x{')' * 180}\n",
    "60 calls": f"import math\n\n\ndef f(x: float):\n    return {'math.sin(' * 60}x{')' * 60}\n",
    "18 loops": "def f(x: float, n: int):\n"
    + "".join(f"{'    ' * (i + 1)}for i{i} in range(n):\n" for i in range(18))
    + "    " * 19
    + "x = x * x\n    return x\n",
    "40 early returns": "def f(x: float, n: int):\n"
    + "".join(f"    if n > {i}:\n        return x * {i}\n    x = x * x\n" for i in range(40))
    + "    return x\n",
    "40 returns in a loop": "def f(x: float, n: int):\n    for i in range(n):\n"
    + "".join(f"        if i > {i}:\n            return x * {i}\n        x = x * {i}.5\n" for i in range(40))
    + "    return x\n",
    "200 locals in a loop": "def f(x: float, n: int):\n    for i in range(n):\n        a0 = x * 2.0\n"
    + "".join(f"        a{i} = a{i - 1} * x + {i}.0\n" for i in range(1, 200))
    + "        x = a199 * a100\n    return x\n",
    "300 statements": "import math\n\n\ndef f(x: float, y: float):\n"
    + "".join(f"    y = y + math.sin(x * y) * {i}.0\n" for i in range(300))
    + "    return y\n",
    "60 helpers": "".join(
        f"def _h{i}(x: float):\n    return {f'_h{i - 1}(x) * x' if i else 'x'}\n\n\n" for i in range(60)
    )
    + "def f(x: float):\n    return _h59(x)\n",
}


LONGEST = ("a sum of 1,000 terms", "500 branches", "500 branches that return")  # whose forward mode is shorter work
DEEP = [(name, emit) for name in LONG for emit in ("grad", "jvp") if emit == "grad" or name not in LONGEST]


@pytest.mark.parametrize(("name", "emit"), DEEP)
def test_long_and_deep_programs(name: str, emit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("S2S_CHECK", raising=False)  # the checker between stages takes each loop several times
    start = time.process_time()  # which others on the machine do not add to
    text = differentiate_unformatted(LONG[name], Request(functions=("f",), emit=(emit,)))
    seconds = time.process_time() - start
    compile(text, "model_grad.py", "exec")
    assert seconds < 10.0, "well under 3 on an idle machine"


def test_names_that_are_made_of_two_others_each() -> None:
    """What they may be is asked once for each of them."""
    names = "".join(f"    a{i}, b{i} = a{i - 1} * b{i - 1}, [v + a{i - 1} for v in b{i - 1}]\n" for i in range(1, 60))
    (function,) = ast.parse(f"def f(x, n):\n    a0 = b0 = n\n{names}    return a59\n").body
    assert isinstance(function, ast.FunctionDef)
    origins = Origins(lambda call: [], lambda call: False, lambda attr: False, lambda attr: False)
    last = ast.Name("a59", ast.Load())
    assert not origins.may_be_given(last, function, {"x"})
    assert origins.may_be_given(last, function, {"n"})


# ---------------------------------------------------------------- what is loaded


def loaded(script: str) -> str:
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()[-1]


HEAVY = "print([m for m in ('libcst', 'black') if m in sys.modules])"


def test_the_fast_check_loads_neither_libcst_nor_black(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("# a comment\ndef f(x):\n    # another\n    return x * x\n")
    run = f"sys.argv = ['s2s', '{{}}', {str(tmp_path / 'model.py')!r}]\nfrom s2s import cli\n"
    call = "\ntry:\n    cli.main({}, standalone_mode=False)\nexcept SystemExit as e:\n    assert not e.code\n"
    path = str(tmp_path / "model.py")
    loaded("import sys\n" + run.format("grad") + call.format(f"['grad', {path!r}]") + HEAVY)
    fast = "import sys\n" + run.format("check") + call.format(f"['check', '--fast', {path!r}]") + HEAVY
    assert loaded(fast) == "[]"


def test_black_is_loaded_before_the_thread_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller may hold locks of the import system (the import hook); an import in the other thread could wait for
    one of them for ever."""
    order: list[str] = []
    deep_thread: Callable[[Callable[[], Any]], Any] = pipeline.in_deep_thread
    monkeypatch.setattr(pipeline.format, "load", lambda: order.append(threading.current_thread().name))
    monkeypatch.setattr(pipeline, "in_deep_thread", lambda work: (order.append("thread"), deep_thread(work))[1])
    differentiate("def f(x):\n    return x * x\n", Request())
    assert order == [threading.current_thread().name, "thread"]
