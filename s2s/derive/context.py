"""What derivation knows of one function: facts, activity, groups of statements, names."""

from __future__ import annotations

import builtins
import keyword
import re
from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeGuard

from s2s import algebra, ir
from s2s.analysis import aliases, ifs
from s2s.analysis.activity import Activity, operands
from s2s.analysis.aliases import Aliases, taken_apart
from s2s.analysis.containers import keys_of_entries, keys_of_items, root_of
from s2s.analysis.facts import Facts
from s2s.analysis.liveness import Live, live_behind
from s2s.analysis.loops import Header
from s2s.analysis.numbers import COMPLEX
from s2s.analysis.transfer import key_kind
from s2s.frozen import replace
from s2s.ir import Assign, Block, Const, Expr, Index, Op, Stmt, Var
from s2s.rules import effects

if TYPE_CHECKING:
    from s2s.derive.calls import Calls

SUMS_OF_LISTS = ("builtins.sum", "math.fsum", "numpy.sum", "numpy.mean")
CHEAP = {
    "numpy.add", "numpy.subtract", "numpy.multiply", "numpy.divide", "numpy.negative", "numpy.positive",
    "numpy.transpose",
    "numpy.less", "numpy.less_equal", "numpy.greater", "numpy.greater_equal", "numpy.equal", "numpy.not_equal",
    "numpy.square",
    "numpy.absolute", "numpy.abs", "numpy.fabs", "builtins.abs", "math.fabs", "builtins.float", "builtins.len",
    "builtins.str",
    "numpy.shape", "numpy.size", "numpy.ndim",
    "numpy.swapaxes", "numpy.expand_dims", "builtins.range", "builtins.int", "numpy.floor_divide", "numpy.remainder",
    "numpy.reshape", "numpy.ravel", "numpy.conj", "numpy.real", "numpy.imag",
}  # fmt: skip


SOLVERS = [
    f"scipy.optimize.{name}"
    for name in "brentq brenth ridder bisect toms748 newton fsolve root root_scalar fixed_point".split()  # noqa: SIM905
]
ROLES = {
    "numpy.exp": "e", "math.exp": "e", "numpy.sqrt": "r", "math.sqrt": "r", "numpy.max": "m", "numpy.min": "m",
    "numpy.sum": "s", "numpy.add": "s", "numpy.subtract": "s", "numpy.mean": "mean", "numpy.divide": "ratio",
    "numpy.multiply": "product",
    "helper._solve_adjoint": "solution", "helper._columns_apart": "columns", "numpy.c_": "columns",
    "numpy.matmul": "p", "numpy.dot": "p", "numpy.linalg.solve": "solution", "numpy.linalg.inv": "inverse",
    "numpy.linalg.cholesky": "factor", "scipy.linalg.solve": "solution", "scipy.linalg.inv": "inverse",
    "scipy.linalg.solve_triangular": "solution", "scipy.linalg.cho_solve": "solution",
    "scipy.linalg.lu_solve": "solution", "scipy.linalg.cholesky": "factor",
    "scipy.sparse.linalg.spsolve": "solution", "numpy.astype": "converted",
    **dict.fromkeys(SOLVERS, "solution"), "scipy.integrate.solve_ivp": "solution",
    "scipy.optimize.minimize_scalar": "least", "scipy.optimize.minimize": "least",
    "numpy.linalg.norm": "norm", "numpy.log": "log", "math.log": "log", "numpy.sin": "sine", "math.sin": "sine",
    "numpy.cos": "cosine", "math.cos": "cosine",
    "numpy.tanh": "tanh", "math.tanh": "tanh", "numpy.where": "chosen", "numpy.linalg.det": "det", "numpy.prod": "p",
    "numpy.ones_like": "ones", "numpy.zeros_like": "zeros", "numpy.eye": "eye", "numpy.diag": "diagonal",
}  # fmt: skip


# what functions of Python give, where the user has no name for it
RESULTS = {
    "builtins.sum": "total", ir.OCCURRENCES: "count", "builtins.max": "largest", "builtins.min": "smallest",
    "builtins.sorted": "ordered", "builtins.list": "items", "builtins.tuple": "items", "operator.ifexp": "chosen",
}  # fmt: skip


# of a number that the text tells they are written again rather than saved: np.sqrt(2.0 * np.pi)
ROOTS = frozenset(f"{module}.{fn}" for module in ("numpy", "math") for fn in ("sqrt", "log", "exp"))


def is_joined(e: Expr) -> bool:
    """Whether a value is a list or a tuple that is put together of others: not `tuple(xs)`, of one."""
    if not isinstance(e, ir.Sequence) or not e.starred or e.kind == "set":
        return False
    return e.kind == "list" or len(e.items) > 1


def is_costly(e: Expr) -> bool:
    """Whether evaluating `e` again would be a waste: it calls more than arithmetic."""
    for node in ir.walk(e):
        match node:
            case Op(fn="numpy.power", args=(_, Const())) | Op(fn="numpy.eye" | "numpy.identity", args=(Const(),)):
                continue
            case Op(fn=fn, args=(number,), options=()) if fn in ROOTS and is_fixed(number):
                continue
            case Op(fn="numpy.ones" | "numpy.zeros" | "numpy.ones_like" | "numpy.zeros_like"):
                continue  # to make it again takes no longer than to read it
            case Op(fn=fn) if fn not in CHEAP and not fn.startswith("operator."):
                return True
            case ir.Raw(text=text) if re.match(r"[fF]['\"]", text) and "(" not in text:  # a key: f"W{i}"
                continue
            case ir.Comprehension() | ir.Raw():
                return True
    return False


def is_fixed(e: Expr) -> bool:
    """Whether an expression is a number that the text tells: `2.0 * np.pi`."""
    if isinstance(e, Op):
        return e.form is ir.Form.OPERATOR and all(map(is_fixed, e.args))
    return algebra.is_number(e) or algebra.is_constant(e)


def is_arithmetic(e: Expr) -> bool:
    """Whether an expression is a name, a constant, or an operation written with an operator."""
    return isinstance(e, Var | Const) or (isinstance(e, Op) and e.form is ir.Form.OPERATOR)


def role_of(e: Expr | None) -> str:
    """A name for the value of an expression, by what computes it: `e` for exp, the last word of a helper's name."""
    if isinstance(e, Op):
        if e.fn == "numpy.copy" and e.args and isinstance(e.args[0], Op):
            return role_of(e.args[0])
        if e.fn in RESULTS:
            return RESULTS[e.fn]
        if e.fn in ROLES:
            return "minimum" if ROLES[e.fn] == "least" and e.spelling.endswith(".x") else ROLES[e.fn]
        if e.fn.startswith("method.") and e.fn[7:] in effects.DRAWS:
            return "draw"
        full = e.fn.rpartition(".")[2].strip("_").removesuffix("_quiet")  # see `Calls.quiet`
        words = full.split("_")  # without the classes that a helper is made for: `_forward_Layer`
        last = next((w for w in reversed(words) if not w[:1].isupper()), words[-1])
        if e.fn.startswith("local.") and len(last) == 1 < len(full) and full.isidentifier():
            return f"{full}_value"
        if (
            last.isidentifier()
            and not keyword.iskeyword(last)  # np.logical_and
            and len(last) > 1
            and e.fn.startswith(("numpy.", "math.", "local.", "scipy."))
            and not hasattr(builtins, last)
            and not keyword.iskeyword(last)
        ):
            whole = full == last and e.fn.startswith("local.") and e.fn.count(".") == 1
            return f"{last}_value" if whole or e.fn.startswith("scipy.") else last
    match e:
        case Op(fn=ir.KEYS, args=(Var(name=name),)) if name.isidentifier():
            return f"{name}_keys"
        case Index(array=Var(name=name), key=Var()) if keys := re.fullmatch(r"(\w+_key)s(_\d+)?", name):
            return keys[1]
        case Index(array=Var(name=name), key=Const(value=int() as k)) if k >= 0 and name.isidentifier():
            return f"{name}_{k}"
        case Index(array=Var(name=name), key=Var(name=k)) if name.isidentifier() and k.isidentifier():
            made = k.startswith(name) or not is_given(k)
            return "item" if not is_given(name) else f"{name}_item" if made else f"{name}_{k}"
        case Index(array=Var(name=name), key=ir.Slice()) if name.isidentifier():
            return f"{name}_part"
        case Index(array=Var(name=name), key=Const(value=str() as k)) if is_given(name) and k.isidentifier():
            return f"{name}_{k}"
        case Index(array=Var(name=name), key=Const(value=-1)) if is_given(name):
            return f"{name}_last"
        case Index(array=Var(name=name)) if is_given(name):
            return f"{name}_item"
        case ir.Attribute(value=Var(name=name), name=attribute) if is_given(name):
            return f"{name}_{attribute}"
        case ir.Sequence(items=(_, _)):
            return "pair"
    return "t"


def is_given(name: str) -> bool:
    """Whether a name is one that a person gave: temporaries of the lowering are t1, t2."""
    return name.isidentifier() and not re.fullmatch(r"t\d+", name)


def entry_or_default(values: list[Expr]) -> list[Expr]:
    """Of an entry and the number that stands for it where it is missing, the entry alone."""
    rest: list[Expr] = [e for e in values if not isinstance(e, Const)]
    match rest:
        case [Index(key=Const(value=str()))]:
            return rest
    return values


def role_of_all(values: list[Expr], name: str) -> str:
    """A name for a variable that is bound to these values: `total` for what starts as a number and is added to."""
    for e in values:
        match e:
            case Op(fn="numpy.add", args=(Var(name=own), _)) if own == name:
                return "total"
            case Op(fn="numpy.multiply", args=(Var(name=own), _)) if own == name:
                return "product"
    match values[0]:
        case ir.Sequence(kind="list") | ir.Comprehension(kind="list"):
            return "items"
        case Op(fn="numpy.sum"):
            return "total"
    return role_of(values[0])


@dataclass
class Names:
    """Fresh names for one function of the output; the same key gets the same name again."""

    taken: set[str]
    given: dict[tuple[object, ...], str] = field(default_factory=dict)
    wishes: dict[str, str] = field(
        default_factory=dict
    )  # what a fresh name was asked for as, if the user has no such name

    numbers: dict[str, int] = field(default_factory=dict)  # of a wish, the last one given: `taken` only grows
    alive: list[object] = field(default_factory=list)  # what is in keys by its id: no other object may get that id

    def __post_init__(self) -> None:
        self.user = set(self.taken)

    def of(self, thing: object) -> int:
        """A part of a key that stands for an object itself."""
        self.alive.append(thing)
        return id(thing)

    def fresh(self, wish: str, *key: object) -> str:
        """A name for a key; what is in the key by its id is given by `of`."""
        if wish == "t" and wish in self.user:  # often the time, or a temperature
            wish = "part"
        k = (wish, *key)
        if key and k in self.given:
            return self.given[k]
        name = wish
        if name in self.taken:
            n = self.numbers.get(wish, 0)
            while name in self.taken:
                n += 1
                name = ir.numbered(wish, n)
            self.numbers[wish] = n
        self.taken.add(name)
        if wish not in self.user:
            self.wishes[name] = wish
        if key:
            self.given[k] = name
        return name


def may_be_none(f: ir.Function) -> frozenset[str]:
    """The parameters of a function that are None in some calls: by default, or as the function asks."""
    found = {p.name for p in f.params if p.default == "None"}
    for s in ir.statements(f.body):
        for n in ir.nodes(s):
            match n:
                case Op(fn="operator.is" | "operator.is_not", args=(Var(name=name), ir.NONE)):
                    found.add(name)
    return frozenset(found.intersection(f.names))


@dataclass
class Context:
    function: ir.Function
    facts: Facts
    activity: Activity
    headers: dict[int, Header]
    names: Names
    calls: Calls
    base: dict[str, str]
    wrt: tuple[str, ...]
    aliases: Aliases = field(default_factory=Aliases)
    bars: dict[str, str] = field(default_factory=dict)  # parameters with a given cotangent of their final elements
    has_copies: bool = False  # the parameters that are written into are copies already, see `Derivation.own_copies`
    holders: dict[str, set[str]] = field(default_factory=dict)  # see `assemble.Sweeps`
    temps: dict[str, Expr] = field(default_factory=dict)  # value of each group temporary
    sensitive: set[str] = field(default_factory=set)  # lists that the reverse sweep takes apart from their end
    survey: object = None  # see `survey.survey`
    late: set[str] = field(default_factory=set)  # containers that a loop binds first: they are None before it
    forward: bool = False  # tangents are made, not adjoints
    either: frozenset[ir.Origin] = frozenset()  # see `updates.of_either_kind`
    called: bool = False  # the function is a helper: whoever calls it may do so in a loop
    masked_seed: bool = False  # the cotangent of the result is zero where no branch was taken: see `adjoints.Adjoint`
    guarded_entries: frozenset[ir.Store] = frozenset()  # stores behind an assertion: see `unsure_entries`
    known_floats: set[str] = field(default_factory=set)  # parameters that a guard of the output asks to be of floats
    done: dict[int, Expr] = field(default_factory=dict)  # see `finished`; by id, which the value keeps alive
    promoted: set[str] = field(default_factory=set)  # temporaries that get a line of their own
    handed_over: dict[str, str] = field(default_factory=dict)  # what helpers write into, each with a parameter's name
    defined_at: dict[str, int] = field(default_factory=dict)
    definitions: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.items = {id(s) for h in self.headers.values() for s in h.items}
        reads: Counter[str] = Counter()
        for s in ir.statements(self.function.body):
            for e in ir.expressions(s):
                reads.update(n.name for n in ir.walk(e) if isinstance(n, Var))
                for n in ir.walk(e):
                    if isinstance(n, ir.Raw):
                        reads.update(dict.fromkeys(n.names, 2))
                    if isinstance(n, ir.Comprehension) or (isinstance(n, Op) and n.fn in (ir.NAMED, ir.LAMBDA)):
                        reads.update(dict.fromkeys(ir.reads(n), 2))
            if isinstance(s, ir.Append):
                reads[s.array] += 1
            self.definitions.update(ir.binds(s))
            for name, p in self.handed(s):
                self.handed_over.setdefault(name, p)
        for h in self.headers.values():  # the user's own header may be printed beside what reads its items
            reads.update(dict.fromkeys(ir.reads(h.iterable), 1))
        self.definitions.update(self.function.names)
        reads.update(self.facts.others.keys())  # by an assertion
        stores = [s for s in ir.statements(self.function.body) if isinstance(s, ir.Store)]
        self.written_here = {ir.written_name(s.target) for s in stores}
        # `a[k] += e` reads `a[k]`, but its text names the key once
        items = {s.target: s.value for s in ir.statements(self.function.body) if isinstance(s, Assign)}
        updates = (
            s.target
            for s in stores
            if s.update and isinstance(s.value, Op) and isinstance(old := s.value.args[0], Var)
            if self.definitions[old.name] == 1 and items.get(old.name) == s.target
        )
        self.update_keys = {n.name for target in updates for n in ir.walk(target.key) if isinstance(n, Var)}
        self._find_temps(self.function.body, reads)
        for name, p in self.made_for_helpers():
            self.base[name] = self.names.fresh(p, "handed over", name)
        choices = set(filter(re.compile(r"t\d+").fullmatch, ifs.choices(self.function.body)))
        unnamed: dict[str, list[Expr]] = {}
        for s in ir.statements(self.function.body):
            if isinstance(s, ir.Assign) and s.target not in self.temps and ir.is_unnamed(s):
                unnamed.setdefault(s.target, []).append(s.value)
        for name, values in unnamed.items():
            if len(values) == self.definitions[name] and re.fullmatch(r"t\d+", name):
                values = entry_or_default(values)
                role = role_of_all(values, name)
            elif (shorter := ir.cut(values[-1])) and self.base.get(shorter[0]) == self.base.get(name, name):
                role = "t"  # a list that loses an item keeps its name
            else:  # of a helper that was written out: it has a name
                single = [isinstance(v, Index) and not isinstance(v.key, ir.Slice) for v in values]
                roles = {role_of(v) if i or self.draws(v) else "t" for v, i in zip(values, single, strict=True)}
                role = roles.pop() if len(roles) == 1 else "t"
            if name in choices and {role, role_of_all(values[::-1], name)} != {role} - {"t"}:
                role = "chosen"
            if role != "t" and self.base.get(name, name) == name:
                self.base[name] = self.names.fresh(role, "unnamed", name)
        keys = {n.name for s in stores for n in ir.walk(s.target.key) if isinstance(n, Var)}
        for s in ir.statements(self.function.body):
            if isinstance(s, ir.Assign) and s.target in keys - self.temps.keys() and re.fullmatch(r"t\d+", s.target):
                role = "mask" if self.facts.of(Var(s.target)).kind == "bool" else "k"
                self.base[s.target] = self.names.fresh(role, "key", s.target)

    @cached_property
    def live_behind(self) -> dict[int, Live]:
        """What is read behind each statement, by its id."""
        return live_behind(self.function)

    @cached_property
    def _definitions(self) -> dict[str, Expr]:
        return {s.target: s.value for s in ir.statements(self.function.body) if isinstance(s, Assign)}

    @cached_property
    def _from_elsewhere(self) -> frozenset[str]:
        """The names that are bound to an item, or to what a helper returns, and second names of those."""
        bound = [s for s in ir.statements(self.function.body) if isinstance(s, ir.Assign | ir.Unpack)]
        found = {
            name
            for s in bound
            if isinstance(s.value, Index) or (isinstance(s.value, Op) and s.value.fn.startswith("local."))
            for name in ir.binds(s)
        }
        return frozenset(self._with_second_names(found))

    @cached_property
    def _given(self) -> frozenset[str]:
        """The parameters of which no shape is stated, and second names of those: all of a helper's, which may be given
        lists of numbers."""
        helper = bool(self.calls.active)
        stated = {n for n, fact in self.facts.given.items() if fact.shape.rank is not None and not helper}
        read = {n for s in ir.statements(self.function.body) for e in ir.expressions(s) for n in ir.reads(e)}
        parts = {n for n in read - stated if ir.is_part(n)}  # `data["x"]`, `data.x`
        return frozenset(self._with_second_names((set(self.function.names) - stated) | parts))

    @cached_property
    def _items_of_given(self) -> frozenset[str]:
        """The names that are bound to items of these, or of parts of them."""
        assigned = [s for s in ir.statements(self.function.body) if isinstance(s, ir.Assign)]
        bound = [s for s in assigned if isinstance(s.value, Index)]
        found: set[str] = set()
        while more := {s.target for s in bound if root_of(s.value) in self._given | found} - found:
            found = self._with_second_names(found | more)
        return frozenset(found)

    def holds_given(self, name: str) -> bool:
        """Whether such a value is put into a list of this name: it may be a list of numbers."""
        appended = (s for s in ir.statements(self.function.body) if isinstance(s, ir.Append) and s.array == name)
        return any(isinstance(s.value, Var) and s.value.name in self._given for s in appended)

    def _with_second_names(self, names: set[str]) -> set[str]:
        bound = [s for s in ir.statements(self.function.body) if isinstance(s, ir.Assign)]
        second = [(s.target, s.value.name) for s in bound if isinstance(s.value, Var)]
        while more := {name for name, of in second if of in names} - names:
            names |= more
        return names

    def definition(self, name: str) -> Expr | None:
        """What a name that is bound once is bound to, and that does not read itself."""
        value = self._definitions.get(name)
        return value if value is not None and self.definitions[name] == 1 and name not in ir.reads(value) else None

    def is_shown(self, place: Expr) -> bool:
        """Whether a dict has the key under which is stored, by what it is made of: a display with that key, or the key
        is one of the list of its keys. No key of a dict is deleted."""
        if self.loses_keys:
            return False
        match place:
            case Index(array=Var(name=d), key=Op(args=(key,))):
                made = self._made(d)
            case _:
                return False
        if isinstance(made, ir.Dict) and key in made.keys:
            return True
        item = self.definition(key.name) if isinstance(key, Var) else None
        keys = item.array.name if isinstance(item, Index) and isinstance(item.array, Var) else ""
        of = self.definition(keys)
        return made is not None and of == Op(ir.KEYS, (Var(d),)) and keys not in self._changed

    @cached_property
    def loses_keys(self) -> bool:
        """Whether an entry is taken out of a dict, which may have other names."""
        return any(isinstance(s, ir.Store) and s.gone for s in ir.statements(self.function.body))

    def reads_its_place(self, s: ir.Store) -> bool:
        """Whether a store reads what it replaces, in any case, `d[k] = d[k] + e`, or a statement before it has read
        that: then the key is there."""
        whole = list(ir.walk(self.tree(s.value)))
        if self.tree(s.target) in whole and all(map(ir.is_always_evaluated, whole)):
            return True
        return self._as_written(s) in self._known_there

    def unsure_entries(self) -> list[ir.Store]:
        """Stores into dicts whose keys the text shows, under keys of the run which may be none of these: the output
        asserts that they are, for the shadows of such dicts have no other ones. Not where dicts begin empty."""
        every = list(ir.statements(self.function.body))
        if any(isinstance(s, Assign) and isinstance(s.value, ir.Dict) and not s.value.keys for s in every):
            return []
        stores = (s for s in every if isinstance(s, ir.Store))
        active = (s for s in stores if ir.written_name(s.target) in self.activity.active)
        keyed = (s for s in active if self.is_under_key_of_the_run(s))  # a key that is written out is a new one
        return [s for s in keyed if self._is_plain_entry(self.tree(s.target)) and self.may_add_key(s)]

    def is_under_key_of_the_run(self, s: ir.Store) -> bool:
        """Whether a store is one into a dict whose keys the text shows, under a key that it does not."""
        return self.facts.of(s.target.array).kind == "dict" and not isinstance(s.target.key, Const)

    def may_add_key(self, s: ir.Store) -> bool:
        """Whether a store into a dict whose keys the text shows may give it another one, for all that is known."""
        array, key = s.target.array, s.target.key
        if self.facts.of(array).kind != "dict" or self.reads_its_place(s):
            return False
        begun = self._made(array.name) if isinstance(array, Var) else None
        begins = self.facts.of(begun).keys if begun is not None else ()
        return not (isinstance(key, Const) and key.value in (*self.facts.of(array).keys, *begins))

    def is_guarded(self, s: ir.Store) -> bool:
        """Whether an assertion stands before a store that says that the key is there."""
        return self._as_written(s) in self._guarded

    @cached_property
    def _guarded(self) -> frozenset[tuple[int, Expr]]:
        return frozenset(map(self._as_written, self.guarded_entries))

    def _as_written(self, s: ir.Store) -> tuple[int, Expr]:
        """A store, whatever later steps make of its value: what the user wrote, and the place."""
        return id(s.origin), self.tree(s.target)

    @cached_property
    def _known_there(self) -> frozenset[tuple[int, Expr]]:
        """Stores into entries that a statement before them, in their block or one around it, has read or stored, where
        nothing in between may bind another dict, or another key, to what the place is written with. No key of a dict is
        deleted."""
        if self.loses_keys:
            return frozenset()
        found: set[tuple[int, Expr]] = set()
        missed: set[tuple[int, Expr]] = set()

        def walk(block: Block, before: Set[Index]) -> None:
            places = {*before}
            for s in block:
                if isinstance(s, ir.Store):
                    (found if self.tree(s.target) in places else missed).add(self._as_written(s))
                for e in ir.expressions(s) if not isinstance(s, ir.Inert) else ():  # an assert may be switched off
                    whole = list(ir.walk(self.tree(e)))
                    if all(map(ir.is_always_evaluated, whole)):
                        places |= {x for x in whole if self._is_plain_entry(x)}
                if isinstance(s, ir.If):
                    walk(s.body, places)
                    walk(s.orelse, places)
                inside = list(ir.statements((s,)))
                changed = {n for t in inside for n in (*ir.binds(t), *ir.resized(t))}
                changed |= {ir.written_name(t.target) for t in inside if self._writes_elsewhere(t)}
                places = {x for x in places if not ir.reads(x) & changed}
                if any(self._may_change_dicts(t) for t in inside):
                    places = {x for x in places if isinstance(x.array, Var)}  # dicts with names of their own
                for inner in ir.blocks(s) if not isinstance(s, ir.If) else ():
                    walk(inner, places)
                if isinstance(s, ir.Store) and self._is_plain_entry(place := self.tree(s.target)):
                    places.add(place)

        walk(self.function.body, frozenset())
        return frozenset(found - missed)

    def _is_entry(self, place: Expr) -> TypeGuard[Index]:
        return ir.is_entry(place) or (isinstance(place, Index) and self.facts.of(place.array).kind == "dict")

    def _is_plain_entry(self, place: Expr) -> TypeGuard[Index]:
        """Whether a place is an entry of a dict that has a name, or that lies in a list, under names and numbers."""
        if not self._is_entry(place):
            return False
        key = place.key.args[0] if isinstance(place.key, Op) and place.key.fn == ir.KEY else place.key
        if not isinstance(key, Var | Const):
            return False
        array = place.array
        while isinstance(array, Index):
            if self._is_entry(array) or not all(map(is_arithmetic, ir.walk(array.key))):
                return False
            array = array.array
        return isinstance(array, Var)

    def _writes_elsewhere(self, s: Stmt) -> TypeGuard[ir.Store | ir.Augment]:
        """Whether a statement stores into what is no entry of a dict."""
        return isinstance(s, ir.Store | ir.Augment) and not self._is_entry(s.target)

    def _may_change_dicts(self, s: Stmt) -> bool:
        """Whether an item of a list of dicts may be another one behind a statement, whatever names the list has: a list
        that gets or gives numbers or arrays is none of dicts."""
        if isinstance(s, ir.Append):
            return not (self._is_numeric(s.value) or s.array in self._lists_of_one_name)
        if self._writes_elsewhere(s) and isinstance(s.target, Index):
            return not (self._is_numeric(s.target.array) or self._is_numeric(s.value))
        calls = (e for top in ir.expressions(s) for e in ir.walk(top) if isinstance(e, Op))
        return any(
            e.fn.startswith("local.")
            or (e.fn.startswith("method.") and e.fn != "method.copy" and not self._is_numeric(e))
            for e in calls
            if not (e.fn == "method.pop" and isinstance(e.args[0], Var) and e.args[0].name in self._lists_of_one_name)
        )

    @cached_property
    def _lists_of_one_name(self) -> frozenset[str]:
        """Lists that begin empty, and of which only items are asked, and how many there are: nothing else holds them.
        Such a list may be in the place of another one only under its own name."""
        made: set[str] = set()
        used, known = Counter[str](), Counter[str]()
        for s in ir.statements(self.function.body):
            match s:
                case Assign(target=name, value=ir.Sequence(items=(), kind="list")) if self.definitions[name] == 1:
                    made.add(name)
            for e in (n for top in ir.expressions(s) for n in ir.walk(top)):
                match e:
                    case Var(name=name):
                        used[name] += 1
                    case Index(array=Var(name=name)) | Op(fn="method.pop" | "builtins.len", args=(Var(name=name), *_)):
                        known[name] += 1
        return frozenset(n for n in made if used[n] == known[n])

    def _is_numeric(self, e: Expr) -> bool:
        return self.facts.of(e).kind in ("float", "int", "bool")

    def _made(self, name: str) -> Expr | None:
        """What a name is bound to, once and by no branch or loop, or the name that it is another one of."""
        top = {s.target for s in self.function.body if isinstance(s, Assign)}
        made: Expr | None = Var(name)
        while isinstance(made, Var):
            made = self.definition(made.name) if made.name in top else None
        return made

    @cached_property
    def _changed(self) -> frozenset[str]:
        """The lists and arrays that get longer or shorter, or into which is stored."""
        every = list(ir.statements(self.function.body))
        stored = (ir.written_name(s.target) for s in every if isinstance(s, ir.Store))
        return frozenset([*stored, *(n for s in every for n in ir.resized(s))])

    def as_array(self, name: str) -> Expr:
        """A variable, as the array that NumPy makes of it where it may be a list of numbers: nothing is stated."""
        unknown = name in self._from_elsewhere and self.facts.shape(Var(name)).rank is None
        unknown = unknown or name in self._given or name in self._items_of_given
        return Op("numpy.asarray", (Var(name),)) if unknown else Var(name)

    @cached_property
    def loop_variables(self) -> frozenset[str]:
        """Names that loops bind, and nothing else."""
        loops = [s for s in ir.statements(self.function.body) if isinstance(s, ir.For)]
        bound = Counter(n for s in loops for n in ir.target_names(s.target))
        return frozenset(n for n, count in bound.items() if count == self.definitions[n])

    @cached_property
    def mixed(self) -> frozenset[str]:
        """Active names that are bound to integers somewhere, and what is made of these alone."""
        active, found = self.activity.active, set[str]()
        made: list[tuple[tuple[str, ...], Expr]] = []
        for s in ir.statements(self.function.body):
            match s:
                case Assign(target=name, value=value):
                    made.append(((name,), value))
                    if name in active and self.facts.of(value).kind in ("int", "bool"):
                        found.add(name)
                case ir.Append(array=name, value=value):
                    made.append(((name,), value))
                case ir.Unpack(value=value):
                    made.append((s.targets, value))
                case ir.For(iterable=value):
                    made.append((tuple(ir.target_names(s.target)), value))
        more = bool(found)
        while more:
            more = False
            for names, value in made:
                of = ir.reads(value) & active
                if of and of <= found and not found.issuperset(new := active.intersection(names)):
                    found |= new
                    more = True
        return frozenset(found)

    @cached_property
    def optional(self) -> frozenset[str]:
        """Parameters that are None in some calls: by default, or as the function asks."""
        return may_be_none(self.function)

    def may_be_given_none(self, name: str, s: ir.Stmt) -> bool:
        """Whether a helper that writes into what it is given for a name gets None for it in some runs, and asks."""
        return any(
            e == Var(name) and p in may_be_none(self.calls.prepare(call.fn[6:]).function)
            for call in ir.helper_calls(*ir.expressions(s))
            for p, e in self.written(call).items()
        )

    @cached_property
    def dict_keys(self) -> frozenset[str]:
        """The variables that keys of dicts are bound to: each names one entry."""
        return frozenset(
            keys_of_items([*ir.statements(self.function.body)]) | keys_of_entries(self.function, self.facts)
        )

    def may_select(self, key: Expr) -> bool:
        """Whether a part of a key may be an array of indices or a mask, though it is not known to be one."""
        k = self.tree(key)
        if isinstance(k, Var) and k.name in self.dict_keys:
            return False
        return key_kind(k, self.facts) == "any" and not (isinstance(k, Const) or self.facts.is_scalar(k))

    def hold_keys(self, target: Expr) -> None:
        """A key that is computed from elements which the store may change gets a line of its own."""
        while isinstance(target, Index):
            for v in ir.walk(target.key):
                if isinstance(v, Var) and v.name in self.temps and self.aliases.contents(self.tree(v)):
                    self.promoted.add(v.name)
            target = target.array

    def written(self, e: Expr) -> dict[str, Expr]:
        """The arguments that a call of a helper writes into, by parameter."""
        return self.calls.written(e, self.facts) if isinstance(e, Op) and e.fn.startswith("local.") else {}

    def draws(self, e: Expr) -> bool:
        """Whether an expression draws random numbers, prints, or is another one at each evaluation."""
        helpers = (n.fn for n in ir.walk(e) if isinstance(n, Op) and n.fn.startswith("local."))
        return bool(effects.drawn(e)) or any(self.calls.runs_once(fn[6:]) for fn in helpers)

    def handed(self, s: Stmt) -> Iterator[tuple[str, str]]:
        """The names that the helpers called in a statement write into, each with the parameter that it is given for.

        Of `helper((a * b).reshape(3))` that is the product, of which it gets a view or a copy."""
        for call in ir.helper_calls(*ir.expressions(s)):
            for p, given in self.written(call).items():
                names = [v.name for v, _ in aliases.sources(given, self.facts) if isinstance(v, Var)]
                for name in names:
                    yield name, p
                    of = aliases.sources(self.unnamed[name], self.facts) if name in self.unnamed else []
                    names += [v.name for v, _ in of if isinstance(v, Var) and v.name not in names]

    @cached_property
    def unnamed(self) -> dict[str, Expr]:
        """The values of variables that are no names of the user's."""
        every = ir.statements(self.function.body)
        return {s.target: s.value for s in every if isinstance(s, ir.Assign) and ir.is_unnamed(s)}

    @cached_property
    def made_numbers(self) -> set[str]:
        """Temporaries that are arrays of rank 0 made for helpers that update them: with a line of its own, such a one
        is bound to the number, `e[()]`, which no helper changes."""
        found: set[str] = set()
        for s in ir.statements(self.function.body):
            for call in ir.helper_calls(*ir.expressions(s)):
                given = self.calls.given(call)
                updated = (given.get(p) for p in self.calls.updated(call.fn[6:]))
                found |= {e.name for e in updated if isinstance(e, Var) and self.calls.is_made_number(self, e)}
        return found

    def written_out(self, s: ir.Assign) -> Expr:
        """What an assignment of the primal binds, with temporaries written out."""
        value = self.tree(s.value)
        return Index(value, ir.Sequence(())) if s.target in self.made_numbers else value

    def is_handed_over(self, s: ir.Assign) -> bool:
        """Whether a temporary is memory of its own that a helper writes into: it is read again where that is undone."""
        return s.target in self.handed_over and not aliases.sources(s.value, self.facts)

    def is_base(self, s: ir.Assign) -> bool:
        """Whether a temporary is memory of its own that a variable is a view of: their adjoint is the temporary's."""
        bases = (base for base, _ in self.aliases.views.values())
        return s.target in bases and not aliases.sources(s.value, self.facts)

    def has_shadow(self, name: str) -> bool:
        """Whether a store writes through a view that may be a copy: its adjoint is bound in the forward sweep."""
        return name in self.written_here and self.aliases.of.get(name) in self.aliases.dynamic

    def made_for_helpers(self) -> Iterator[tuple[str, str]]:
        """The variables that are no names of the user's, and parameters of the helpers that write into them."""
        for s in ir.statements(self.function.body):
            if not isinstance(s, ir.Assign) or s.target in self.temps or not self.is_handed_over(s):
                continue
            if ir.is_unnamed(s):
                yield s.target, self.handed_over[s.target]

    def is_item(self, s: Stmt) -> bool:
        """Whether a statement binds an item of a loop over a sequence."""
        return id(s) in self.items

    def _find_temps(self, block: Block, reads: Counter[str]) -> None:
        pending: dict[str, Expr] = {}
        below: dict[str, frozenset[str]] = {}  # what a temporary reads, once those that it reads are written out
        fixed: set[str] = set()  # those that no derivative passes through: written out where none passes either
        origin: object = None
        for s in block:
            if not isinstance(s, ir.Assign | ir.Unpack | ir.Append | ir.Return | ir.Store | ir.Inert):
                pending = {}
                for inner in ir.blocks(s):
                    self._find_temps(inner, reads)
                continue
            if s.origin is not origin or s.origin is None:
                pending, origin = {}, s.origin
            for e in ir.expressions(s):
                for name in ir.reads(e) & pending.keys():
                    if name in self.update_keys and not isinstance(s, ir.Store):
                        continue  # the store reads it again: until then nothing may change it
                    value = pending.pop(name)
                    if self.comes_in_parts(name, value, e):
                        continue  # the helper gives a cotangent to each of its entries
                    if name not in fixed or getattr(s, "constant", isinstance(s, ir.Append)):
                        self.temps[name] = value
            bound = set(ir.binds(s))
            grown = [s.array] if isinstance(s, ir.Append) else []
            bound.update(grown)
            for name in (*grown, *aliases.written_by(s, self.facts)):
                bound |= self.aliases.members.get(self.aliases.of.get(name, ""), frozenset())
            for name in [n for n in pending if below[n] & bound]:
                del pending[name]  # written out later, it would read what this statement overwrites
            if (
                isinstance(s, ir.Assign)
                and reads[s.target] == (2 if s.target in self.update_keys and not is_costly(s.value) else 1)
                and self.definitions[s.target] == 1
                and (not s.constant or ir.is_unnamed(s))
                and not self.is_item(s)
                and not self.draws(s.value)
                and not self.written(s.value)
                and not self.is_handed_over(s)
                and not self.is_base(s)
                and not is_joined(s.value)
                and not self.has_shadow(s.target)
                and self.aliases.roots.get(self.aliases.of.get(s.target, "")) != s.target
            ):
                pending[s.target] = s.value
                if s.constant:
                    fixed.add(s.target)
                direct = ir.reads(s.value)
                inside = [n for n in direct if n in self.temps and n in below]  # assigned once: nobody overwrites them
                below[s.target] = direct.difference(inside).union(*(below[n] for n in inside))

    def comes_in_parts(self, name: str, value: Expr, reader: Expr) -> bool:
        """Whether what a call makes is read item by item: a dict that a helper is given, a list that is added up."""
        kind = self.facts.of(Var(name)).kind
        if kind not in ("dict", "list", "tuple") or isinstance(value, ir.Dict | ir.Sequence):
            return False
        if not any(isinstance(n, Op) and n.fn.startswith("local.") for n in ir.walk(self.tree(value))):
            return False
        ops = (n for n in ir.walk(reader) if isinstance(n, Op))
        reads = (n for n in ops if (n.fn.startswith("local.") if kind == "dict" else n.fn in SUMS_OF_LISTS))
        return any(Var(name) in (*n.args, *(v for _, v in n.options)) for n in reads)

    def tree(self, e: Expr) -> Expr:
        """`e` with group temporaries written out, but for those that have a line of their own."""
        if isinstance(e, Var):
            if e.name in self.temps and e.name not in self.promoted:
                return self.tree(self.temps[e.name])
            return e
        return ir.rebuild(e, self.tree)

    def expanded(self, e: Expr) -> Expr:
        """`e` with all group temporaries written out."""
        if isinstance(e, Var):
            return self.expanded(self.temps[e.name]) if e.name in self.temps else e
        return ir.rebuild(e, self.expanded)

    def unpacked(self, s: ir.Unpack) -> Expr:
        """What a statement takes apart, with the call of a helper that has a line of its own: `(b, q), a = two(b)`, and
        `a, b = g(x)[1]`."""
        part = taken_apart(s, self.facts)
        return self.expanded(s.value) if part == s.value else part

    def read_through(self, e: Expr) -> frozenset[str]:
        """The names that an expression reads, and those that the temporaries in it are computed from."""
        direct = ir.reads(e)
        return direct.union(*(self.read_through(self.temps[n]) for n in direct if n in self.temps))

    def simplify(self, e: Expr) -> Expr:
        """The readable form of adjoint code; factors that are proved scalars stand first."""
        return algebra.simplify(self.transposed(e), self.facts.is_scalar, self.done, self.is_float)

    def is_float(self, e: Expr) -> bool:
        """Whether an expression is surely of floats, or complex, or a number of Python's own."""
        if isinstance(e, Var) and (e.name in self.floats or (e.name in self.names.wishes and e.name not in self.bound)):
            return True  # what adjoint code has named is made of cotangents
        return self.is_known_float(e)

    @cached_property
    def bound(self) -> set[str]:
        return {*self.function.names, *(n for s in ir.statements(self.function.body) for n in ir.binds(s))}

    def is_known_float(self, e: Expr) -> bool:
        fact = self.facts.of(e)
        whole = fact.kind == "int" and (fact.length is not None or (isinstance(e, Var) and e.name in self.counts))
        return fact.kind == "float" or fact.number == COMPLEX or whole

    @cached_property
    def floats(self) -> set[str]:
        """The variables that are bound to floats only, whatever the parameters are."""
        values: dict[str, list[Expr]] = {}
        others = set(self.function.names)
        for s in ir.statements(self.function.body):
            if isinstance(s, Assign):
                values.setdefault(s.target, []).append(s.value)
            else:
                others |= set(ir.binds(s))
        found = values.keys() - others

        def known(e: Expr) -> bool:
            return (isinstance(e, Var) and e.name in found) or self.is_known_float(e)

        while wrong := {n for n in found if any(algebra.may_be_mask(e, known) for e in values[n])}:
            found -= wrong
        return found

    @cached_property
    def has_displays(self) -> bool:
        """Whether the function has a dict display of several entries."""
        every = (n for s in ir.statements(self.function.body) for n in ir.nodes(s))
        return any(isinstance(n, ir.Dict) and len(n.keys) > 1 for n in every)

    @cached_property
    def counts(self) -> set[str]:
        """The whole numbers that loops count with, and those that are annotated."""
        annotated = {n for n, fact in self.facts.given.items() if fact.kind == "int"}
        loops = (s for s in ir.statements(self.function.body) if isinstance(s, ir.For))
        ranges = (s for s in loops if isinstance(s.iterable, Op) and s.iterable.fn == "builtins.range")
        return annotated | {s.target.name for s in ranges if isinstance(s.target, Var)}

    def finished(self, e: Expr) -> Expr:
        """`e` resolved and simplified, as a part of what is written next: that leaves it as it is."""
        out = self.simplify(self.resolve(e))
        self.done[id(out)] = out
        return out

    def transposed(self, e: Expr) -> Expr:
        """(a @ b).T of matrices as b.T @ a.T, np.outer(u, v).T as np.outer(v, u), and signs in front."""
        if id(e) in self.done:
            return e
        match e:
            case Op(
                fn="numpy.transpose", args=(Op(fn="numpy.negative", args=(a,), form=ir.Form.OPERATOR),), options=()
            ):
                return algebra.op(algebra.NEGATIVE, self.transposed(replace(e, args=(a,))))
            case Op(fn="numpy.transpose", args=(Op(fn="numpy.outer", args=(a, b), options=()) as outer,), options=()):
                return self.transposed(replace(outer, args=(b, a)))
            case Op(fn="numpy.transpose", args=(Op(fn="numpy.matmul", args=(a, b)) as product,), options=()):
                if self.are_matrices(product):
                    swapped = tuple(Op("numpy.transpose", (x,), form=ir.Form.ATTRIBUTE, spelling="T") for x in (b, a))
                    return self.transposed(Op(product.fn, swapped, form=product.form, spelling=product.spelling))
        if isinstance(e, Op | ir.Sequence):
            return ir.rebuild(e, self.transposed)
        return e

    def are_matrices(self, product: Op) -> bool:
        """Whether no operand of a product is a stack of matrices."""
        a, b = product.args
        match a:
            case Op(fn="numpy.transpose", args=(x,), options=()) if product.span is None and self.facts.ndim(x) == 2:
                return True  # `x.T @ g` of a rule: there g is a matrix or a vector
        return self.facts.ndim(a) == self.facts.ndim(b) == 2

    def resolve_inside(self, e: Expr, name: str) -> Expr:
        return ir.rebuild(e, self.resolve) if Var(name) in ir.children(e) else e

    def promoted_name(self, name: str) -> str:
        """What a temporary with a line of its own is called, by what computes it."""
        value = self.temps.get(name)
        return self.names.fresh(role_of(value), "promoted", name)

    def same_shape_as(self, name: str) -> str:
        """A variable of the same shape as a temporary, that its value reads; else a temporary, the simplest one."""
        shape = self.facts.shape(Var(name))
        for v in ir.walk(self.tree(self.temps[name])):
            if (
                isinstance(v, Var)
                and v.name not in self.temps
                and self.facts.shape(v) == shape
                and self.facts.of(v).kind in ("float", "int", "any")
            ):
                return v.name
        inner = (v.name for v in ir.walk(self.temps[name]) if isinstance(v, Var) and v.name in self.temps)
        same = next((n for n in inner if self.facts.shape(Var(n)) == shape and n not in self.promoted), None)
        return name if same is None or shape.tail == ("?", 0) else self.same_shape_as(same)

    def axis_of(self, name: str, axis: int) -> Expr | None:
        """The length of an axis of a temporary, as that of an array which its value reads, or of a part of one."""
        shape = self.facts.shape(Var(name))
        if shape.rank is None:
            return None
        read = [e for e in ir.walk(self.tree(self.temps[name])) if isinstance(e, Var | Index) and self.is_read(e)]
        for e in sorted(read, key=lambda e: isinstance(e, Index)):
            inner = self.facts.shape(e)
            for k, n in enumerate(inner.dims if inner.rank is not None else ()):
                if n == shape.dims[axis]:
                    return Index(ir.Attribute(e, "shape"), Const(k))
        return None

    def is_read(self, e: Var | Index) -> bool:
        """Whether this is an array with a name, or a part of one."""
        name = e if isinstance(e, Var) else e.array
        return isinstance(name, Var) and name.name not in self.temps and self.facts.is_array(e)

    def length_of(self, part: Expr) -> Expr | None:
        """The number of elements of a row or a column, `A[i]` or a view of it, as a length of the array: no elements
        are read for it. None for other expressions."""
        if isinstance(part, Var) and part.name in self.temps and part.name not in self.promoted:
            part = self.temps[part.name]
        elif isinstance(part, Var) and part.name in self.aliases.views:
            base, path = self.aliases.views[part.name]
            part = ir.substitute(path, {aliases.ROOT.name: Var(base)})
        match part:
            case Index(array=Var(name=name) as whole, key=key) if name not in self.temps:
                rank, keys = self.facts.ndim(whole), ir.key_items(key)
                kept = [k for k, item in enumerate(keys) if item == ALL]
                places = [item for item in keys if item != ALL]
                numbers = all(self.facts.is_integer(item) and self.facts.is_scalar(item) for item in places)
                if rank is None or not numbers or self.definitions[name] != 1 or not self.facts.is_array(whole):
                    return None
                kept += range(len(keys), rank)
                if len(kept) == 1:
                    shape = ir.Attribute(whole, "shape")
                    return Index(shape, Const(kept[0])) if kept[0] else Op("builtins.len", (whole,))
        return None

    def of_arrays(self, e: Expr) -> Expr:
        """A product with a list of constants, `c * x`, as one of arrays: adjoint code may put a number beside c.

        What may be a count repeats the list, `c * n`: there the product is made an array, whatever it is.
        """
        match e:
            case Op(fn=algebra.MULTIPLY | algebra.DIVIDE, args=args) if self.facts.of(e).kind != "list":
                lists = [isinstance(a, Var) and self.facts.of(a).kind in ("list", "tuple") for a in args]
                if any(lists):
                    rest = [a for a, x in zip(args, lists, strict=True) if not x]
                    if e.fn == algebra.MULTIPLY and any(map(self.may_be_count, rest)):
                        return Op("numpy.array", (e,))
                    new = tuple(Op("numpy.array", (a,)) if x else a for a, x in zip(args, lists, strict=True))
                    return replace(e, args=new)
        return e

    def may_be_count(self, e: Expr) -> bool:
        """Whether a value may be a whole number: no array, no float, and without a derivative."""
        active = any(v.name in self.activity.active for v in operands(e))
        return not (active or self.facts.is_array(e) or self.facts.of(e).kind == "float")

    def resolve(self, e: Expr) -> Expr:
        """`e`, adjoint code, with temporaries written out; costly ones are given a line of their own."""
        if isinstance(e, Var):
            value = self.temps.get(e.name)
            if value is None or e.name in self.promoted:
                return e
            if is_costly(value) and not isinstance(value, ir.Sequence):
                self.promoted.add(e.name)
                return e
            return self.resolve(self.of_arrays(value))
        if id(e) in self.done:
            return e
        match e:
            case ir.Attribute(value=part, name="size") | Op(fn="numpy.size", args=(part,)) if length := self.length_of(
                part
            ):
                return self.resolve(length)
            case Index(array=ir.Attribute(value=Var(name=name), name="shape"), key=Const(value=int() as axis)) if (
                name in self.temps and name not in self.promoted and (length := self.axis_of(name, axis)) is not None
            ):
                return length
            case ir.Attribute(value=Var(name=name), name="shape" | "size" | "ndim" as what) if (
                name in self.temps and name not in self.promoted
            ):
                like = self.same_shape_as(name)
                return self.resolve_inside(ir.Attribute(Var(like), what), like)
            case Op(fn="numpy.shape" | "numpy.size" | "numpy.ndim", args=(Var(name=name),)) if (
                name in self.temps and name not in self.promoted
            ):
                like = self.same_shape_as(name)
                return self.resolve_inside(Op(e.fn, (Var(like),), e.options, e.form, e.spelling), like)
            case Op(fn="builtins.len", args=(Var(name=name),)) if name in self.temps and name not in self.promoted:
                match self.temps[name]:
                    case Op(fn=fn, args=(n, *_)) if (
                        fn in FILLED and self.facts.of(n).kind == "int" and self.facts.is_scalar(n)
                    ):
                        return self.resolve(n)
        return ir.rebuild(e, self.resolve)


ALL = ir.Slice(None, None)
TURNED = ir.Slice(None, None, Const(-1))
# what gives an array of n items
FILLED = ("numpy.zeros", "numpy.ones", "numpy.empty", "numpy.full")


def groups(block: Block, temps: dict[str, Expr]) -> list[list[Stmt]]:
    """The statements of a block with the temporaries before the statement that they belong to."""
    out: list[list[Stmt]] = []
    pending: list[Stmt] = []
    for s in block:
        if isinstance(s, ir.Assign) and s.target in temps:
            pending.append(s)
            continue
        wanted = {n for e in ir.expressions(s) for n in ir.reads(e)} if pending else set()
        mine: list[Stmt] = []
        rest: list[Stmt] = []
        for p in reversed(pending):
            assert isinstance(p, ir.Assign)
            if p.target in wanted:
                wanted |= ir.reads(p.value)
                mine.append(p)
            else:
                rest.append(p)
        out.append([*reversed(mine), s])
        pending = rest[::-1]
    if pending:
        out.append(pending)
    return out
