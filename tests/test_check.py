"""The checker between stages: sound programs pass, and each broken promise is named.

Three kinds of faults are tried: functions in the intermediate representation that break the normal form, sweeps from
which a statement has been taken or moved, and an engine one decision of which is made wrongly.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import checking
import programs
from s2s import check, ir
from s2s.derive import assemble, recorded, reverse, wrap
from s2s.derive.joint import Joint
from s2s.derive.nodes import Branch, Group, Leaf, Loop, Node
from s2s.errors import S2SError, Span
from s2s.ir import Assign, Block, Const, Op, Origin, Stmt, Var
from s2s.pipeline import Request, differentiate_unformatted

pytestmark = pytest.mark.table(paths=check.PATHS)

LOOP = """
import numpy as np

def f(x: float, a: float, n: int):
    s = 0.0
    for k in range(n):
        y = a * np.sin(x)
        x = x - y**2
        s = s + x * y
    return s
"""
BRANCHES = """
import numpy as np

def f(x, w, n: int):
    for k in range(n):
        if np.sum(x) > 0.0:
            x = np.sin(x) * w
        else:
            x = x * x - w
            if k > 1:
                break
    return np.sum(x * w)
"""
ROOT = """
import math

def f(a: float):
    x = a
    while abs(x * x - a) > 1e-9:
        step = (x * x - a) / (2.0 * x)
        x = x - step
        if math.fabs(step) < 1e-12:
            break
    return x * a
"""
HISTORY = """
import numpy as np

def f(x: float, n: int):
    xs = [x]
    for k in range(n):
        xs.append(np.sin(xs[k]) * x)
    return xs[-1] * x
"""
NESTED = """
import numpy as np

def f(x: float, y: float, n: int):
    for i in range(n):
        t = x * y
        for j in range(i):
            x = np.sin(x) + t * y
            t = t * x
        y = np.tanh(y + t)
    return x * y
"""
SHARED = """
import numpy as np

def f(x, y, n: int):
    u = x * y
    v = u
    for k in range(n):
        u = u + v
        v = v * y
    return np.sum(u * v)
"""
BREAKS = """
import numpy as np

def f(x: float, a: float, n: int):
    for k in range(n):
        y = a * np.sin(x)
        if y > 0.9:
            x = x * y
            break
        x = np.cos(x) + y * y
    return x * a
"""
COPIES = """
# s2s: x (n,), y (n,)
def f(x, y):
    return x + y
"""
RAISES = """
import numpy as np

def f(x: float):
    if x < 0.0:
        raise ValueError(x)
    return np.sqrt(x) * x
"""
RETURNS = """
import numpy as np

def f(x: float, y: float):
    z = x * y
    if z > 0.0:
        return np.sin(z)
    return z * x
"""
STORES = """
import numpy as np

# s2s: x (n,)
def f(x, n: int):
    y = x * 2.0
    v = y[1:]
    for k in range(n):
        y[k] = np.sin(y[k + 1]) * y[k]
        v[0] = v[0] * y[k]
    return np.sum(y * v[0])
"""
STRAIGHT_STORES = """
import numpy as np

# s2s: x (n,)
def f(x):
    y = x * x
    y[0] = y[1] * y[0]
    y[1:] = np.sin(y[1:]) * y[0]
    y *= x
    y[0] = y[0] ** 2
    return np.sum(y * x)
"""
WHOLE_STORES = """
import numpy as np

# s2s: x (n,)
def f(x, n: int):
    y = np.sin(x)
    z = y * y * x
    for k in range(n):
        y[k] = x[k]
    return np.sum(z * y)
"""
SWAPS = """
import numpy as np

# s2s: x (n,)
def f(x, n: int):
    a = x * 2.0
    b = np.zeros_like(x)
    for k in range(n):
        b[1:] = np.sin(a[1:]) * a[:-1]
        a, b = b, a
    return np.sum(a * b)
"""
CHOSEN = """
import numpy as np

# s2s: x (n,)
def f(x):
    a = x * 2.0
    b = np.sin(x)
    if x[0] > 0.0:
        c = a
    else:
        c = b
    c[1] = c[0] * c[1]
    return np.sum(a * b)
"""
EFFECTS = """
import numpy as np

def step(a, c):
    a[1:] = a[1:] * a[:-1]
    a[0] = a[0] * np.sum(c)

# s2s: x (n,)
def f(x, n: int):
    y = x * 1.5
    for k in range(n):
        step(y, x)
        if y[0] > 0.0:
            y[1] = y[0] * y[1]
    return np.sum(y * x)
"""
LOCAL_BUFFERS = """
import numpy as np

# s2s: x (n,)
def f(x, n: int):
    s = 0.0
    for k in range(n):
        y = x * s
        y[0] = y[0] * y[1]
        y[1] = np.sin(y[0] * y[1])
        s = s + np.sum(y * y)
    return s
"""
LATE_VIEW = """
import numpy as np

# s2s: x (n,)
def f(x):
    y = np.sin(x)
    z = y * y * x
    v = y[1:]
    v[0] = x[0] * x[1]
    return np.sum(z * y)
"""
BUFFER = """
import numpy as np

# s2s: x (n,)
def f(x):
    y = x * x
    y[0] = y[0] * y[1]
    y[1] = y[0] * y[1]
    return y
"""
WRITTEN = {
    "stores": STORES,
    "straight stores": STRAIGHT_STORES,
    "whole stores": WHOLE_STORES,
    "swaps": SWAPS,
    "chosen": CHOSEN,
    "effects": EFFECTS,
    "local buffers": LOCAL_BUFFERS,
    "late view": LATE_VIEW,
}
UNBOUND = """
def f(x, n: int):
    s = 0.0
    for k in range(n):
        s = s + x[k] * x[k]
        u = s * x[k]
    return s * u
"""
SOUND = {
    "loop": LOOP,
    "branches": BRANCHES,
    "root": ROOT,
    "history": HISTORY,
    "nested": NESTED,
    "shared": SHARED,
    "breaks": BREAKS,
    "copies": COPIES,
    "unbound": UNBOUND,
    "buffer": BUFFER,
    **WRITTEN,
}


def derive(source: str, wrt: tuple[str, ...] | None = None, kind: str = "vjp") -> str:
    return differentiate_unformatted(source, Request(functions=("f",), wrt=wrt, emit=(kind,)))


def joints(source: str, kind: str = "vjp") -> list[Joint]:
    found: list[Joint] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("S2S_CHECK", "1")
        patch.setattr(check, "sweeps", found.append)
        derive(source, kind=kind)
    return found


def said(work: Callable[[], object]) -> str:
    """What the checker says, or nothing."""
    try:
        work()
    except S2SError as error:
        assert {d.code for d in error.diagnostics} == {"S901"}, error
        return error.diagnostics[0].message
    return ""


# ---------------------------------------------------------------- the normal form

ORIGIN = Origin(Span(3, 4, 3, 9), "a = b", ())
OTHER = Origin(Span(4, 4, 4, 9), "c = d", ())
X, T = Var("x"), Var("t1")


def function(*body: Stmt) -> ir.Function:
    return ir.Function("f", (ir.Param("x"),), body)


def sine(e: ir.Expr) -> Op:
    return Op("numpy.sin", (e,))


TEST = Op("numpy.greater", (X, Const(0.0)), form=ir.Form.OPERATOR)
BREAK, RETURN = ir.Break(ORIGIN), ir.Return(X, ORIGIN)
ONE_MORE = Assign("x", sine(X), ORIGIN)


@pytest.mark.parametrize(
    ("body", "invariant"),
    [
        ((ir.For(Var("k"), X, (BREAK, ONE_MORE)), RETURN), "I1: `x = np.sin(x)` stands behind an exit"),
        ((RETURN, ONE_MORE), "I1"),
        ((ir.For(Var("k"), X, (RETURN,)), RETURN), "I1: a return inside a loop"),
        ((ir.If(TEST, (BREAK,)), RETURN), "I1: a break outside of a loop"),
        ((ir.While(TEST, (ir.If(TEST, (BREAK,)), ONE_MORE)), RETURN), "I1: statements follow an if that leaves"),
        ((ir.If(TEST, (RETURN,)),), "I1: a path through `f` does not return"),
        ((ir.If(TEST, (RETURN,), (RETURN,)), ONE_MORE), "I1"),
        ((Assign("y", sine(sine(X)), ORIGIN), RETURN), "A-normal form: the operand `np.sin(x)`"),
        ((ir.Store(ir.Index(X, Const(0)), sine(sine(X))), RETURN), "A-normal form: the operand `np.sin(x)`"),
        ((ir.Store(ir.Index(X, ir.Index(X, Const(0))), Const(1.0)), RETURN), "A-normal form: the key `x[0]`"),
        ((ir.Store(ir.Index(X, sine(X)), Const(1.0)), RETURN), "A-normal form: the key `np.sin(x)`"),
        (
            (ir.Store(ir.Index(sine(X), Const(0)), Const(1.0)), RETURN),
            "A-normal form: `np.sin(x)[0] = 1.0` stores into",
        ),
        ((Assign("t1", sine(X), ORIGIN), Assign("t1", sine(X), OTHER), RETURN), "I2: the temporary `t1`"),
        ((Assign("x_bar", sine(X), ORIGIN), RETURN), "I2: `x_bar` is the name of a derivative of `x`"),
    ],
)
def test_a_broken_normal_form_is_named(body: Block, invariant: str) -> None:
    assert said(lambda: check.normalised(function(*body), "def f(x): y = x")).startswith(invariant)


def test_a_store_at_an_index_is_normal() -> None:
    key = ir.Sequence((ir.Slice(None, Op("numpy.add", (T, Const(1)), form=ir.Form.OPERATOR)), ir.ELLIPSIS))
    place = ir.Index(ir.Index(X, Const(0)), key)
    check.normalised(function(Assign("t1", Const(1), ORIGIN), ir.Store(place, T, ORIGIN), RETURN), "def f(x): ...")


def test_the_normal_form_passes() -> None:
    leaving = ir.If(TEST, (BREAK,), (Assign("t1", sine(X), ORIGIN), Assign("x", T, ORIGIN)))
    check.normalised(function(ir.While(TEST, (leaving,)), RETURN), "def f(x): ...")


def test_a_message_names_the_statement() -> None:
    with pytest.raises(S2SError) as caught:
        check.normalised(function(RETURN, Assign("y", X, OTHER)), "")
    (found,) = caught.value.diagnostics
    assert found.span == OTHER.span and "c = d" in found.message


# ---------------------------------------------------------------- sweeps with a fault


@pytest.mark.parametrize("name", SOUND)
@pytest.mark.parametrize("kind", ["vjp", "grad"])
def test_sound_sweeps_pass(name: str, kind: str) -> None:
    if kind == "grad" and name in ("copies", "buffer"):
        pytest.skip("its result is an array")
    for joint in joints(SOUND[name], kind):
        check.sweeps(joint)


def without(block: tuple[Stmt, ...], gone: Stmt) -> tuple[Stmt, ...]:
    """A block without one statement; all others are the same objects, but for those around it."""
    out: list[Stmt] = []
    for s in block:
        if s is gone:
            continue
        match s:
            case ir.If():
                s = replace(s, body=without(s.body, gone), orelse=without(s.orelse, gone))
            case ir.For() | ir.While():
                s = replace(s, body=without(s.body, gone))
        out.append(s)
    return tuple(out)


def twice(block: tuple[Stmt, ...], again: Stmt) -> tuple[Stmt, ...]:
    out: list[Stmt] = []
    for s in block:
        match s:
            case ir.If():
                s = replace(s, body=twice(s.body, again), orelse=twice(s.orelse, again))
            case ir.For() | ir.While():
                s = replace(s, body=twice(s.body, again))
        out += [s, s] if s is again else [s]
    return tuple(out)


def restores(joint: Joint) -> list[Stmt]:
    """Statements of the reverse sweep that bring a value back."""
    layout = check.Layout(joint)
    back = ir.statements(tuple(joint.back))
    return [s for s in back if isinstance(s, Assign | ir.Store) and id(s) not in layout.owner]


def appends(joint: Joint) -> list[Stmt]:
    saved = {s.where for s in joint.sweeps.saves.values()}
    return [s for s in ir.statements(tuple(joint.forward)) if isinstance(s, ir.Append) and s.array in saved]


def saved_variables(joint: Joint) -> list[Stmt]:
    saved = {s.where for s in joint.sweeps.saves.values() if not s.is_list}
    return [s for s in ir.statements(tuple(joint.forward)) if isinstance(s, Assign) and s.target in saved]


def changed(block: Block, change: Callable[[Stmt], list[Stmt]]) -> Block:
    """A block with each simple statement replaced by some."""
    out: list[Stmt] = []
    for s in block:
        inner = ir.with_blocks(s, lambda b: changed(b, change))
        out += [inner] if ir.blocks(s) else change(s)
    return tuple(out)


@pytest.mark.parametrize("name", WRITTEN)
def test_each_restore_of_elements_is_needed(name: str) -> None:
    joint = joints(WRITTEN[name])[0]
    found = restores(joint)
    assert found
    for s in found:
        fewer = replace(joint, back=list(without(tuple(joint.back), s)))
        assert said(lambda fewer=fewer: check.sweeps(fewer)).startswith(("I3", "I4")), ir.print_block([s])


@pytest.mark.parametrize("name", WRITTEN)
def test_each_save_of_elements_is_needed(name: str) -> None:
    joint = joints(WRITTEN[name])[0]
    found = [*appends(joint), *saved_variables(joint)]
    assert found
    for s in found:
        fewer = replace(joint, forward=list(without(tuple(joint.forward), s)))
        assert said(lambda fewer=fewer: check.sweeps(fewer)).startswith(("I3", "I4")), ir.print_block([s])


@pytest.mark.parametrize("name", ["stores", "straight stores", "local buffers", "effects"])
def test_elements_are_restored_in_the_reverse_order(name: str) -> None:
    """Two neighbouring restores of places that overlap, exchanged."""
    joint = joints(WRITTEN[name])[0]
    places = [s for s in restores(joint) if isinstance(s, ir.Store)]
    pairs = list(itertools.pairwise(places))
    assert pairs
    for a, b in pairs:
        other = {id(a): b, id(b): a}
        back = changed(tuple(joint.back), lambda s, other=other: [other.get(id(s), s)])
        swapped = replace(joint, back=list(back))
        assert said(lambda swapped=swapped: check.sweeps(swapped)).startswith(("I3", "I4")), ir.print_block([a, b])


def test_saved_elements_are_copies() -> None:
    joint = joints(STRAIGHT_STORES)[0]

    def lent(s: Stmt) -> list[Stmt]:
        match s:
            case Assign(target=where, value=Op(fn="numpy.copy", args=(place,))) if where in saved:
                return [replace(s, value=place)]
        return [s]

    saved = {s.where for s in joint.sweeps.saves.values()}
    forward = changed(tuple(joint.forward), lent)
    assert said(lambda: check.sweeps(replace(joint, forward=list(forward)))).startswith("I3")


def test_the_arguments_are_copied_before_they_are_stored_into() -> None:
    joint = joints(
        "import numpy as np\n\n# s2s: x (n,)\ndef f(x):\n    x[0] = x[0] * x[1]\n    return np.sum(x * x)\n"
    )[0]
    check.sweeps(joint)
    copy = next(s for s in joint.forward if isinstance(s, Assign) and s.target == "x")
    assert said(lambda: check.sweeps(replace(joint, forward=list(without(tuple(joint.forward), copy))))).startswith(
        "I6"
    )


@pytest.mark.parametrize("name", ["loop", "branches", "nested", "breaks"])
def test_each_restore_is_needed(name: str) -> None:
    (joint,) = joints(SOUND[name])
    found = restores(joint)
    assert found
    for s in found:
        changed = replace(joint, back=list(without(tuple(joint.back), s)))
        assert said(lambda changed=changed: check.sweeps(changed)).startswith(("I3", "I4")), ir.print_block([s])


@pytest.mark.parametrize("name", ["loop", "branches", "root", "nested", "breaks"])
def test_each_save_is_needed(name: str) -> None:
    (joint,) = joints(SOUND[name])
    found = appends(joint)
    assert found
    for s in found:
        fewer = replace(joint, forward=list(without(tuple(joint.forward), s)))
        assert said(lambda fewer=fewer: check.sweeps(fewer)).startswith(("I3", "I4")), ir.print_block([s])
        more = replace(joint, forward=list(twice(tuple(joint.forward), s)))
        assert said(lambda more=more: check.sweeps(more)).startswith(("I3", "I4")), ir.print_block([s])


@pytest.mark.parametrize("name", ["loop", "branches", "nested"])
def test_each_first_contribution_is_needed(name: str) -> None:
    """Without the statement that sets an adjoint, its readers see none, or that of another binding."""
    (joint,) = joints(SOUND[name])
    noticed = 0
    first = [s for s in ir.statements(tuple(joint.back)) if isinstance(s, Assign) and s.target.endswith(check.BAR)]
    for s in first:
        changed = replace(joint, back=list(without(tuple(joint.back), s)))
        noticed += said(lambda changed=changed: check.sweeps(changed)).startswith("I5")
    assert noticed == len(first) > 0


def test_restores_stand_between_the_reads_of_the_new_and_the_old_value() -> None:
    (joint,) = joints(LOOP)

    def moved(block: Block) -> Block:
        """Restores at the head of each block."""
        inner = tuple(replace(s, body=moved(s.body)) if isinstance(s, ir.For) else s for s in block)
        early = [s for s in inner if isinstance(s, Assign) and any(s is r for r in back)]
        return (*early, *(s for s in inner if not any(s is e for e in early)))

    back = restores(joint)
    assert said(lambda: check.sweeps(replace(joint, back=list(moved(tuple(joint.back)))))).startswith("I3")


def test_a_temporary_belongs_to_its_group() -> None:
    """A temporary of one statement's adjoint that another one reads is not the one it takes it for."""
    joint = joints(
        "import numpy as np\n\ndef f(x: float, y: float):\n    a = np.sin(x)\n    b = a * y\n    return b\n"
    )[0]
    layout = check.Layout(joint)
    a, b = (n for n in joint.nodes if isinstance(n, Group) and layout.kills.keys() & n.kills)
    extra = Assign("s_bar", Var(f"b{check.BAR}"))
    reader = Assign(f"x{check.BAR}", Var("s_bar"))
    b.post.append(extra)
    a.post.append(reader)
    changed = replace(joint, back=[*joint.back[:-1], extra, joint.back[-1], reader])
    assert said(lambda: check.sweeps(changed)).startswith("I2: the temporary `s_bar`")


def test_adjoint_code_binds_no_name_of_the_primal() -> None:
    joint = joints("import numpy as np\n\ndef f(x: float):\n    a = np.sin(x)\n    return a * x\n")[0]
    node = next(n for n in joint.nodes if isinstance(n, Group))
    extra = Assign("a", Const(0.0))
    node.post.append(extra)
    assert said(lambda: check.sweeps(replace(joint, back=[*joint.back, extra]))).startswith("I2")


# ---------------------------------------------------------------- an engine with a fault

Patch = Callable[[pytest.MonkeyPatch], None]
MUTATIONS: dict[str, tuple[Patch, str]] = {}


def mutation(invariants: str) -> Callable[[Patch], Patch]:
    """Registers a wrong decision, and the invariants of which one must be found broken."""

    def register(patch: Patch) -> Patch:
        MUTATIONS[patch.__name__] = (patch, invariants)
        return patch

    return register


@mutation("I3")
def saves_at_kills_are_dropped(patch: pytest.MonkeyPatch) -> None:
    original = recorded.Recorder.node

    def node(self: Any, n: Node, r: Any) -> Any:
        out = original(self, n, r)
        if isinstance(n, Group):
            n.rec.saves = []
        return out

    patch.setattr(recorded.Recorder, "node", node)


@mutation("I3")
def saves_at_the_end_of_an_iteration_are_dropped(patch: pytest.MonkeyPatch) -> None:
    original = recorded.Recorder.loop

    def loop(self: Any, n: Loop, r: Any) -> Any:
        out = original(self, n, r)
        n.at_end = []
        return out

    patch.setattr(recorded.Recorder, "loop", loop)


@mutation("I3")
def saves_on_entry_are_dropped(patch: pytest.MonkeyPatch) -> None:
    original = recorded.Recorder.loop

    def loop(self: Any, n: Loop, r: Any) -> Any:
        out = original(self, n, r)
        n.rec.saves = []
        return out

    patch.setattr(recorded.Recorder, "loop", loop)


@mutation("I3")
def hoisted_saves_are_dropped(patch: pytest.MonkeyPatch) -> None:
    original = recorded.Recorder.branch

    def branch(self: Any, n: Branch, r: Any) -> Any:
        out = original(self, n, r)
        n.rec.saves = []
        return out

    patch.setattr(recorded.Recorder, "branch", branch)


@mutation("I3")
def every_name_is_hoisted(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(recorded.Recorder, "sees_entry", lambda self, nodes, name: True)


@mutation("I3")
def values_are_computed_again_from_changed_operands(patch: pytest.MonkeyPatch) -> None:
    original, killed = recorded.Recorder.try_recompute, recorded.kills

    def try_recompute(self: Any, name: str, nodes: list[Node]) -> None:
        recorded.kills = lambda nodes: set()
        try:
            original(self, name, nodes)
        finally:
            recorded.kills = killed

    patch.setattr(recorded.Recorder, "try_recompute", try_recompute)


@mutation("I3")
def conditions_are_evaluated_again_though_their_names_changed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(recorded.Recorder, "record_test", lambda self, n: None)


@mutation("I3 I4")
def a_break_skips_the_saves_of_its_iteration(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(assemble.Sweeps, "at_ends", lambda self, body, saves: assemble.fall_through(body, saves))


@mutation("I3")
def the_old_value_comes_back_before_the_new_one_is_read(patch: pytest.MonkeyPatch) -> None:
    def split_after(self: Any, node: Group, target: str) -> None:
        node.pre = []

    patch.setattr(reverse.Reverse, "split_after", split_after)


@mutation("I5")
def branches_start_without_zeros(patch: pytest.MonkeyPatch) -> None:
    original = reverse.Reverse.initial

    def initial(self: Any, *args: Any) -> list[Stmt]:
        original(self, *args)
        return []

    patch.setattr(reverse.Reverse, "initial", initial)


@mutation("I5")
def a_definition_without_derivative_keeps_the_adjoint(patch: pytest.MonkeyPatch) -> None:
    original = reverse.Reverse.group

    def group(self: Any, unit: list[Stmt], s: Any, st: Any) -> Node:
        before = dict(st)
        out = original(self, unit, s, st)
        if isinstance(s, Assign) and s.target in before and not self.is_active(s.value):
            st[s.target] = before[s.target]
        return out

    patch.setattr(reverse.Reverse, "group", group)


@mutation("I3")
def stores_overwrite_nothing(patch: pytest.MonkeyPatch) -> None:
    original = reverse.Reverse.store

    def store(self: Any, *args: Any) -> Node:
        node = original(self, *args)
        assert isinstance(node, Group)
        node.kills, node.places = (), {}
        return node

    patch.setattr(reverse.Reverse, "store", store)


@mutation("I3")
def elements_are_saved_as_views(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(assemble.Sweeps, "is_view", lambda self, place: False)


@mutation("I3")
def a_view_is_taken_for_a_new_buffer(patch: pytest.MonkeyPatch) -> None:
    original = recorded.Recorder.node

    def node(self: Any, n: Node, r: Any) -> Any:
        if isinstance(n, Group) and n.kills and not n.places:
            n.births = tuple(filter(None, map(self.ctx.aliases.content, n.kills)))
        return original(self, n, r)

    patch.setattr(recorded.Recorder, "node", node)


@mutation("I5")
def each_name_has_an_adjoint_of_its_own(patch: pytest.MonkeyPatch) -> None:
    def companion(self: Any, e: ir.Expr, like: ir.Expr | None = None, slot: ir.Expr | None = None) -> ir.Expr:
        return Op("numpy.zeros_like", (like or e,))

    patch.setattr(reverse.Reverse, "companion", companion)


@mutation("I6")
def arguments_are_stored_into(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(wrap.Derivation, "own_copies", lambda self, ctx, reverse_=None: [])


@mutation("I6")
def results_are_restored_in_place(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(assemble.Sweeps, "kept", lambda self, value: value)


@mutation("I6")
def every_contribution_is_taken_for_fresh(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reverse.Reverse, "is_fresh", lambda self, c: True)


@mutation("I6")
def results_are_not_copied(patch: pytest.MonkeyPatch) -> None:
    original = wrap.Derivation.result

    def result(self: Any, ctx: Any, reverse_: Any, name: str, state: Any, seen: Any) -> Any:
        owned = {n: replace(a, owned=True) for n, a in state.items()}
        return original(self, ctx, reverse_, name, owned, set())

    patch.setattr(reverse.Reverse, "copy_first", property(lambda self: set(), lambda self, names: None), raising=False)
    patch.setattr(wrap.Derivation, "result", result)


@contextmanager
def mutated(patch: Patch) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as context:
        context.setenv("S2S_CHECK", "1")
        patch(context)
        yield


def material() -> Iterator[tuple[str, str, tuple[str, ...] | None]]:
    """Programs that give each decision something to be wrong about."""
    for name, source in SOUND.items():
        yield name, source, None
    for path in sorted((Path(__file__).parent / "regressions").glob("*.py")):
        yield path.stem, path.read_text(), checking.evaluate(path.read_text(), str(path)).get("WRT")
    for seed in range(20):
        program = programs.program(random.Random(seed))
        yield f"seed {seed}", program.source, program.wrt


MATERIAL = list(material())
ENOUGH = 4  # programs on which a wrong decision is noticed, by whatever invariant: then the others need not be tried


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_wrong_decision_is_noticed(name: str) -> None:
    patch, invariants = MUTATIONS[name]
    noticed: dict[str, str] = {}
    kinds: set[str] = set()
    with mutated(patch):
        for program, source, wrt in MATERIAL:
            if len(noticed) == ENOUGH or kinds & set(invariants.split()):
                break
            try:
                derive(source, wrt)
            except RuntimeError:
                continue  # what the engine decides on no longer settles
            except S2SError as error:
                if error.diagnostics[0].code == "S901":
                    noticed[program] = error.diagnostics[0].message
                    kinds.add(noticed[program].split(":")[0])
    print(name, len(noticed), sorted(kinds))
    assert kinds & set(invariants.split()), noticed


PARTS = 10


@pytest.mark.parametrize("part", range(PARTS))
def test_the_unbroken_engine_passes_on_the_same_programs(part: int) -> None:
    with mutated(lambda patch: None):
        for program, source, wrt in MATERIAL[part::PARTS]:
            try:
                derive(source, wrt)
            except S2SError as error:
                assert all(d.code != "S901" for d in error.diagnostics), f"{program}: {error}"


def test_the_checker_is_off_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("S2S_CHECK", "0")
    monkeypatch.setattr(check, "sweeps", lambda joint: pytest.fail("the checker ran"))
    derive(LOOP)


# ---------------------------------------------------------------- paths


def test_paths_take_each_loop_never_once_and_twice() -> None:
    (joint,) = joints(LOOP)
    layout = check.Layout(joint)
    loop = next(n for n in joint.nodes if isinstance(n, Loop))
    seen = set()
    for path in check.paths(check.PATHS):
        machine = check.Versions(layout, path)
        machine.run()
        seen.add(machine.trips[id(loop), ()])
    assert seen == {0, 1, 2}


def test_paths_take_both_branches_and_break() -> None:
    (joint,) = joints(BRANCHES)
    layout = check.Layout(joint)
    decisions = set()
    for path in check.paths(check.PATHS):
        machine = check.Versions(layout, path)
        machine.run()
        decisions.update(machine.decisions.values())
    assert decisions == {True, False}


def test_paths_end_where_all_are_taken() -> None:
    taken = []
    for path in check.paths(100):
        taken.append((path.choose(2), path.choose(3)))
    assert sorted(taken) == [(a, b) for a in range(2) for b in range(3)]
    several = list(check.paths(4))
    for path in several:
        path.choose(2)


def test_a_path_that_raises_has_no_reverse() -> None:
    for joint in joints(RAISES):
        check.sweeps(joint)


def test_leaves_are_known() -> None:
    """A return's adjoint belongs to the branch that returned."""
    (joint,) = joints(RETURNS)
    layout = check.Layout(joint)
    leaves = [n for n in check.preorder(joint.nodes) if isinstance(n, Leaf) and n.kind == "return"]
    assert len(leaves) == 2
    assert all(isinstance(layout.around[id(n)][-1], Branch) for n in leaves)
    check.sweeps(joint)
