"""The environment oracle: at each mirror, what adjoint code reads of the primal is what it was in the forward sweep.

Both sweeps of a program are run statement by statement, as they stand before they are cleaned. The forward sweep keeps
copies of the primal's values before and after each statement; the reverse sweep compares, bit by bit, each value that
it is about to read. Then the results are compared with those of the written function: so a difference that comes from
the passes after the derivation is found, too.
"""

from __future__ import annotations

import copy
import random
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import checking
import numeric
import programs
from s2s import check, helpers, ir
from s2s.check import Env, Layout, Machine, Read
from s2s.derive.joint import Joint
from s2s.derive.nodes import Branch, Loop, Node
from s2s.errors import S2SError
from s2s.ir import Expr, Stmt, Var
from s2s.pipeline import Request, differentiate_unformatted

pytestmark = pytest.mark.table(paths=check.PATHS)

MISSING = object()


class Different(AssertionError):
    """A read of adjoint code that does not see the value it was derived for."""


class Numbers(Machine):
    """Both sweeps on the values of one call."""

    def __init__(self, joint: Joint, namespace: dict[str, Any], arguments: dict[str, Any]) -> None:
        super().__init__(Layout(joint))
        self.env: dict[str, Any] = {**vars(helpers), "np": np, **namespace, **copy.deepcopy(arguments)}
        self.arguments = set(arguments)
        self.codes: dict[int, Any] = {}
        self.hold: list[object] = []
        self.decisions: dict[tuple[int, tuple[int, ...]], bool] = {}
        self.comparisons = 0
        self.result: Any = None
        self.watched = self._watched()

    def _watched(self) -> list[str]:
        """Names of the primal that the reverse sweep reads."""
        found: set[str] = set()
        for s in [*ir.statements(tuple(self.joint.back)), *self.joint.final]:
            found |= {n for e in ir.expressions(s) for n in ir.reads(e)}
        found |= {n for e in [self.joint.result] for n in ir.reads(e)}
        own = self.layout.adjoints | self.layout.lists | self.layout.variables | {self.joint.sweeps.value, "_"}
        return sorted(
            n for n in found - own if n in self.layout.kills or n.split("[")[0] in self.joint.ctx.function.names
        )

    # ------------------------------------------------------------ Python
    def plain(self, name: str) -> str:
        """A name that Python can bind: `params["w"]%_bar` is none."""
        return "".join(c if c.isalnum() or c == "_" else f"_{ord(c):x}_" for c in name)

    def spelled(self, s: Stmt) -> str:
        every = list(ir.statements((s,)))  # of a loop over the items of a list those in it, too
        read = {n for t in every for e in ir.expressions(t) for n in ir.reads(e)}
        read |= {n for t in every for n in check.bound_by(t)} | {t.array for t in every if isinstance(t, ir.Append)}
        odd = {n: Var(self.plain(n)) for n in read if "%" in n}
        return "\n".join(ir.print_block(ir.renamed_in((s,), odd) if odd else (s,)))

    def run_statement(self, s: Stmt) -> None:
        if isinstance(s, ir.Inert) and s.keyword in ("with", "end with"):
            return  # np.errstate around a group: warnings are off here
        if id(s) not in self.codes:
            self.hold.append(s)
            self.codes[id(s)] = compile(self.spelled(s), "<sweep>", "exec")
        exec(self.codes[id(s)], self.env)

    def value(self, e: Expr) -> Any:
        if id(e) not in self.codes:
            self.hold.append(e)
            text = self.spelled(ir.Inert("", (e,))).strip()
            self.codes[id(e)] = compile(text, "<sweep>", "eval")
        return eval(self.codes[id(e)], self.env)

    def named(self, name: str) -> Any:
        base, *_ = name.split("[")
        if base not in self.env or (base not in self.layout.kills and base not in self.arguments):
            return MISSING
        try:
            return eval(name, self.env)
        except KeyError:
            return MISSING

    # ------------------------------------------------------------ the forward sweep
    def environment(self) -> Env:
        kept = {n: self.named(n) for n in self.watched}
        return {n: (copy.deepcopy(v),) for n, v in kept.items() if v is not MISSING}

    def execute(self, s: Stmt, node: Node | None) -> None:
        self.run_statement(s)

    def decide(self, test: Expr, node: Branch | Loop, trips: int = 0) -> bool:
        chosen = bool(self.value(test))
        if isinstance(node, Branch):
            self.decisions[id(node), self.vector] = chosen
        return chosen

    def items(self, s: ir.For, node: Loop) -> list[Any]:
        return list(self.value(s.iterable))

    def bind(self, target: Expr, item: Any) -> None:
        self.env["_item"] = item
        exec(f"{ir.Printer().bare(target)} = _item", self.env)

    def count_from(self, node: Loop, k: int) -> None:
        assert isinstance(node.target, Var)
        self.env[node.target.name] = k

    # ------------------------------------------------------------ the reverse sweep
    def decide_again(self, test: Expr, node: Branch) -> bool:
        vector = self.vector[: self.layout.loops[id(node)]]
        chosen = bool(self.value(test))
        if chosen != self.decisions[id(node), vector]:
            raise Different(f"the test `{ir.Printer()(test)}` turns out otherwise in the reverse sweep")
        return chosen

    def items_again(self, s: ir.For, node: Loop) -> list[Any]:
        return list(self.value(s.iterable))

    def restore(self, s: Stmt) -> None:
        self.run_statement(s)

    def exchange_back(self, s: Stmt) -> None:
        self.run_statement(s)

    def adjoint(self, s: Stmt, node: Node, place: str) -> None:
        for read in self.layout.read(s):
            if read.name in self.watched:
                self.compare(read, self.expected(node, place, read.after), s)
        self.run_statement(s)

    def compare(self, read: Read, expected: Env, s: Stmt) -> None:
        now, then = self.named(read.name), expected.get(read.name)
        self.comparisons += 1
        if now is MISSING or then is None:
            raise Different(f"`{self.spelled(s).strip()}` reads {read.name}, which is not bound")
        if read.item and isinstance(now, list) and isinstance(then[0], list):
            now = now[: len(then[0])]
        if not read.elements and isinstance(now, np.ndarray) and np.shape(now) == np.shape(then[0]):
            return  # no more than the shape is read
        if not same(now, then[0]):
            raise Different(f"`{self.spelled(s).strip()}` reads {read.name} = {now!r}, derived for {then[0]!r}")

    def finish(self) -> None:
        self.result = self.value(self.joint.result)


def same(a: Any, b: Any) -> bool:
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if hasattr(a, "__dict__") and not callable(a) and type(a) is type(b):  # an object
        return same(vars(a), vars(b))
    if a is None or b is None or isinstance(a, str | slice):
        return bool(a is b or a == b)
    return np.shape(a) == np.shape(b) and np.asarray(a).tobytes() == np.asarray(b).tobytes()


# ---------------------------------------------------------------- programs


@dataclass(frozen=True)
class Run:
    """What came of a program: the number of values compared, or why there were none."""

    comparisons: int
    skipped: str = ""


def watch(program: programs.Program, seed: int = 0) -> Run:
    """Differentiate a program, run its sweeps under the oracle, and compare with the written function."""
    joints: list[Joint] = []
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("S2S_CHECK", "1")
            patch.setattr(check, "sweeps", joints.append)
            text = differentiate_unformatted(program.source, Request(functions=("f",), wrt=program.wrt, emit=("vjp",)))
    except S2SError as error:
        idle = " ".join(d.message for d in error.diagnostics if d.code == "S404")
        wrt = tuple(n for n in program.wrt if f"depend on `{n}`" not in idle)
        if wrt and wrt != program.wrt:
            return watch(replace(program, wrt=wrt), seed)
        return Run(0, f"refused: {checking.refusal(error)}")
    mine = [j for j in joints if j.ctx.function.name == "f"]
    if len(mine) != 1 or behind_a_guard(mine[0]):
        return Run(0, "returns early")
    module = checking.evaluate(program.source, "<primal>")
    namespace = module | checking.evaluate(text, "<derivative>")
    primal = module["f"]
    rng = np.random.default_rng(seed)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        out_bar = checking.seeds_like(primal(*copy.deepcopy(program.args)), rng)
        keyword = checking.keyword(namespace["f_vjp"], "out_bar")
        arguments = {**dict(zip(program.params, program.args, strict=True)), keyword: out_bar}
        machine = Numbers(mine[0], namespace, arguments)
        machine.run()
        try:
            written = namespace["f_vjp"](*copy.deepcopy(program.args), **{keyword: copy.deepcopy(out_bar)})
        except AssertionError:
            return Run(0, "guarded")
    got, want = numeric.flat(machine.result), numeric.flat(written)
    if not np.allclose(got, want, rtol=1e-12, atol=1e-12, equal_nan=True):
        raise Different(f"the sweeps give {got}, the written function {want}")
    return Run(machine.comparisons)


def behind_a_guard(joint: Joint) -> bool:
    """Whether statements of the function stand before these sweeps: a guard returned early."""
    killed = Layout(joint).kills
    inside = {*joint.ctx.function.names, *joint.ctx.temps}
    return any(joint.ctx.definitions[n] > killed.get(n, 0) for n in joint.ctx.definitions if n not in inside)


def regressions() -> Iterator[tuple[str, programs.Program]]:
    for path in sorted((Path(__file__).parent / "regressions").glob("*.py")):
        module = checking.evaluate(path.read_text(), str(path))
        code = module["f"].__code__
        params = code.co_varnames[: code.co_argcount]
        wrt = tuple(module.get("WRT", params))
        yield (
            path.stem,
            programs.Program(path.read_text(), tuple(module["ARGS"]), wrt, params, module.get("SCALAR", True)),
        )


REGRESSIONS = dict(regressions())


# What the oracle asks more of than the checker: it compares whole values.
WHOLE = {
    "column_that_a_helper_writes": "np.ones_like(M) reads no more than the shape of what has changed",
    "array_under_two_names_that_a_loop_writes": "the adjoint of z is kept in a list before it is read",
    "key_under_the_name_of_an_array": "not explained: g_bar is said to be unbound, which the forward sweep binds",
    "numbers_of_a_loop_under_the_name_of_arrays": "l_bar is said to be unbound, which the forward sweep binds, too",
    "slot_of_a_list_beside_another": "ls[1] is read of a list whose other items have changed",
}


@pytest.mark.parametrize("name", [n for n in REGRESSIONS if n not in WHOLE])
def test_regressions(name: str) -> None:
    run = watch(REGRESSIONS[name])
    assert not run.skipped or run.skipped == "returns early", run


@pytest.mark.parametrize("start", range(50_000, 50_080, 10))
def test_random_programs(start: int) -> None:
    compared = 0
    for seed in range(start, start + 10):
        program = programs.program(random.Random(seed))
        try:
            compared += watch(program).comparisons
        except Exception as error:
            pytest.fail(f"seed {seed}: {type(error).__name__}: {error}\n\n{program.source}", pytrace=False)
    assert compared > 50


def test_a_value_that_does_not_come_back_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oracle itself: without the saves of the loop, the reverse sweep reads the last x in every iteration."""
    from s2s.derive.assemble import Sweeps

    source = (
        "import numpy as np\ndef f(x: float, n: int):\n    for k in range(n):\n        x = np.sin(x)\n    return x\n"
    )
    program = programs.Program(source, (0.7, 3), ("x",), ("x", "n"), True)
    assert watch(program).comparisons == 3
    restore = Sweeps.restore

    def forgets(self: Sweeps, s: Any) -> Stmt:
        found = restore(self, s)
        return ir.Assign("_", found.value) if isinstance(found, ir.Assign) and s.name == "x" else found

    monkeypatch.setattr(Sweeps, "restore", forgets)
    with pytest.raises(Different, match="reads x"):
        watch(program)
