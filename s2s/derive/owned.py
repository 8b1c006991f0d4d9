"""Forward mode, last step: names that hold memory of their own are updated in place, and returned without a copy.

w_bar_dot = penalty * w_dot
w_bar_dot = w_bar_dot + X.T @ a       ->      w_bar_dot += X.T @ a
return 1.0 * w_bar_dot                        return w_bar_dot

The primal's own `x += e` are new bindings for derivation; where nothing else sees the object they are printed as they
were written.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from s2s import algebra, ir, rules
from s2s.algebra import ONE
from s2s.analysis.aliases import CONTAINERS, JOINS
from s2s.analysis.facts import Facts, may_hold_items
from s2s.analysis.liveness import Live
from s2s.analysis.transfer import BARS_OF_FACTORS
from s2s.frozen import replace
from s2s.ir import Assign, Block, Expr, Op, Stmt, Var

NUMBERS = {f"builtins.{n}" for n in ("abs", "bool", "float", "int", "len", "range", "round", "sum")}
SIZES = ("numpy.shape", "numpy.size", "numpy.ndim", "builtins.len")
SIGNS = {"numpy.add": "+", "numpy.subtract": "-"}


def settle(body: Block, given: Iterable[str]) -> Block:
    """The body of a function as it is printed; `given`: names that are the caller's."""
    results = set(map(id, before_return(body)))
    mine = owned(body, given, results)
    read = Counter(
        v.name for s in ir.statements(body) if id(s) in results or isinstance(s, ir.Return) for v in names(s)
    )
    once = {n for n in mine if read[n] == 1}
    filled = once - {
        ir.written_name(s.target) for s in ir.statements(body) if isinstance(s, ir.Store) and held(s.value)
    }

    def block(b: Block) -> Block:
        return tuple(map(statement, b))

    def statement(s: Stmt) -> Stmt:
        if isinstance(s, Assign) and s.target in mine and isinstance(s.value, Op) and s.value.spelling.endswith("="):
            s = replace(s, value=algebra.as_update(s.value, (Var(s.target),)))
        match s:
            case Assign(target=t, value=Op(fn=fn, args=(Var(name=read), e), form=ir.Form.OPERATOR) as value) if (
                t == read and t in mine and fn in SIGNS and value.spelling.endswith("=")
            ):
                return ir.Augment(Var(t), SIGNS[fn], e, s.origin)
            case ir.Return():
                return replace(s, value=plain(s.value, once, filled))
            case Assign() if id(s) in results:
                return replace(s, value=plain(s.value, once, filled))
        return ir.with_blocks(s, block)

    return block(body)


def before_return(body: Block) -> Iterator[Assign]:
    """The parts of a result that have names: assignments of displays right before it is returned."""
    for i, s in enumerate(body):
        for inner in ir.blocks(s):
            yield from before_return(inner)
        if isinstance(s, ir.Return):
            for t in reversed(body[:i]):
                if not isinstance(t, Assign) or not isinstance(t.value, ir.Sequence | ir.Dict):
                    break
                yield t


def names(s: Stmt) -> Iterator[Var]:
    return (n for n in ir.nodes(s) if isinstance(n, Var))


def plain(e: Expr, mine: set[str], filled: set[str]) -> Expr:
    """A result without the copies of what nothing else holds. filled: lists and dicts of which that is true of the
    items."""
    match e:
        case Op(fn="numpy.multiply", args=(factor, Var(name=name) as v)) if factor == ONE and name in mine:
            return v
        case ir.Comprehension(
            element=ir.Slice(start=k, stop=item),
            clauses=((ir.Sequence(items=(key, Var() as v)), Op(fn="numpy.items", args=(Var(name=name) as d,)), ()),),
        ) if name in filled and k == key and item in (algebra.op(algebra.MULTIPLY, ONE, v), whole_copy(v)):
            return d
        case ir.Sequence() | ir.Dict():
            return ir.rebuild(e, lambda c: plain(c, mine, filled))
    return e


def whole_copy(e: Expr) -> Expr:
    """A copy of what may be a list, or a number."""
    return Op("helper._added", (Op("helper._zeros_like", (e,)), e))


def owned(body: Block, given: Iterable[str], results: set[int]) -> set[str]:
    """Names that are bound to fresh values only, and whose object no other name, list or view ever sees.

    results: assignments that only return.
    """
    bound: set[str] = set()
    other: set[str] = set(given)
    for s in ir.statements(body):
        match s:
            case Assign() if id(s) in results:
                other.add(s.target)
            case Assign():
                (other if held(s.value) else bound).add(s.target)
                other.update(held(s.value))
            case ir.Augment(target=Var()) | ir.Return():
                continue
            case ir.Augment():
                continue
            case ir.Store():
                other.update(held(s.value) if not s.update else ())  # a list holds what is stored into it
            case ir.For():
                other.update(ir.target_names(s.target), held(s.iterable))
            case _:
                other.update(ir.binds(s))
                for e in ir.expressions(s):
                    other.update(held(e))
    return bound - other


Hands = Callable[[Op], Iterable[Expr]]  # the arguments of a call of a helper that it may return


def all_arguments(call: Op) -> list[Expr]:
    return [*call.args, *(v for _, v in call.options)]


CONVERSIONS = frozenset(f"numpy.{n}" for n in ("array", "asarray", "asanyarray", "astype"))  # a dtype follows the array
NEW = ("helper._zeros_like", "helper._added", "numpy.ndarray.tolist")  # structures of new numbers and arrays


def held(e: Expr, hands: Hands = all_arguments, facts: Facts | None = None) -> set[str]:
    """Names whose object the value of an expression may be, hold or share memory with.

    facts: without them, `a + b` and `a * k` are taken for numbers and arrays, never for lists.
    """
    return set(_held(e, hands, facts))


def is_size(e: Expr) -> bool:
    """Whether a value is a shape, or a number of one: `np.shape(x)`, `x.shape[0]`."""
    while isinstance(e, ir.Index):
        e = e.array
    match e:
        case Op(fn=fn):
            return fn in SIZES
        case ir.Attribute(name=name):
            return name in ("shape", "size", "ndim", "dtype")
    return False


def is_copied_list(e: Expr, facts: Facts | None) -> bool:
    """Whether a value is a list or a tuple, of whose items NumPy makes a new array."""
    return isinstance(e, ir.Sequence) or (facts is not None and facts.of(e).kind in ("list", "tuple"))


def _held(e: Expr, hands: Hands, facts: Facts | None) -> Iterator[str]:
    match e:
        case Var(name=name):
            yield name
        case ir.Const():
            return
        case Op(form=ir.Form.OPERATOR, args=args) if facts is not None and facts.of(e).kind in CONTAINERS:
            for c in args:  # joined lists
                yield from ir.reads(c)
        case Op() if (e.fn.startswith(("numpy.", "math.")) or e.fn in NUMBERS) and not rules.may_alias(e):
            return
        case Op() if e.fn.startswith("local."):
            for a in hands(e):
                yield from ir.reads(a)
        case Op() if e.fn.startswith("numpy."):
            args = e.args[:1] if e.fn in CONVERSIONS else e.args
            for c in (*args, *(v for k, v in e.options if k != "dtype")):
                yield from () if is_size(c) or is_copied_list(c, facts) else ir.reads(c)
        case Op(fn=fn) if fn == "helper._unbroadcast" or fn in BARS_OF_FACTORS:  # sums, over no axis at least; products
            return
        case Op(fn=fn) if fn in NEW:
            return
        case Op(fn="operator.ifexp", args=(_, *chosen)):
            for c in chosen:
                yield from _held(c, hands, facts)
        case ir.Index():
            yield from _held(e.array, hands, facts)
        case ir.Attribute(name=name):
            if name == "T":
                yield from _held(e.value, hands, facts)
        case ir.Sequence():
            for i in e.items:
                yield from _held(i, hands, facts)
        case _:
            yield from ir.reads(e)


# ---------------------------------------------------------------- names of one object, in the primal


def same_object(
    f: ir.Function,
    name: str,
    hands: Hands,
    apart: Callable[[Stmt], bool] = lambda s: False,
    facts: Facts | None = None,
    puts: Callable[[Op], bool] = lambda call: True,
) -> set[str]:
    """Names whose objects may be, hold or share memory with that of `name`, whichever of their lives is meant.

    Two names that a third one holds, `[a, b]`, share nothing by that.
    apart: whether the parts of a result that a statement binds are known to share nothing with each other.
    puts: whether a helper may put one of the arguments that it hands back into another of them.
    facts: with them, lists that are joined are told from sums, and what is stored into an array is copied.
    """
    arrays = arrays_of(f, facts) if facts is not None else frozenset()
    taken: dict[str, set[str]] = {}  # the names whose objects a name may be bound to
    put: list[tuple[str, set[str]]] = []  # a name of what something may be put into, and the names of that
    for k, s in enumerate(ir.statements(f.body)):
        match s:
            case ir.Store():
                targets = {ir.written_name(s.target)}
            case ir.Append():
                targets = {s.array}
            case ir.For():
                targets = set(ir.target_names(s.target))
            case ir.Augment():  # it adds to what is there
                targets = set()
            case _:
                targets = set(ir.binds(s))
        given = {n for e in ir.expressions(s) for n in held(e, hands, facts)} if targets else set()
        if isinstance(s, ir.Store) and targets <= arrays:
            continue
        if isinstance(s, ir.Store | ir.Append):
            put += [(t, given) for t in targets]
            continue
        if len(targets) > 1 and not apart(s):
            given.add(f"%{k}")  # parts of one result
        for t in targets if given else ():
            taken.setdefault(t, set()).update(given)
        if given and any(map(puts, ir.helper_calls(*ir.expressions(s)))):
            put += [(n, given) for n in given]
    return _sharing(name, taken, put)


def arrays_of(f: ir.Function, facts: Facts) -> frozenset[str]:
    """Local names that only ever stand for arrays, or for numbers: what is stored into them is copied."""
    values: dict[str, list[Expr]] = {}
    other: set[str] = set(f.names)
    for s in ir.statements(f.body):
        if isinstance(s, Assign):
            values.setdefault(s.target, []).append(s.value)
        else:
            other.update(ir.binds(s))

    def is_array(e: Expr) -> bool:
        fact = facts.of(e)
        computed = isinstance(e, Op) and e.fn.startswith("numpy.") and not rules.may_alias(e)
        computed = computed and isinstance(e, Op) and e.form != ir.Form.METHOD
        return fact.kind == "float" or (computed and fact.kind not in CONTAINERS and not may_hold_items(fact))

    return frozenset(n for n, every in values.items() if n not in other and all(map(is_array, every)))


def _sharing(name: str, taken: dict[str, set[str]], put: list[tuple[str, set[str]]]) -> set[str]:
    """The names that may see an object which `name` sees: what is put into one of its names lies in all of them."""
    beside: dict[str, set[str]] = {}
    for t, names in (*taken.items(), *put):
        for n in names:
            beside.setdefault(t, set()).add(n)
            beside.setdefault(n, set()).add(t)
    near = closure(name, beside)
    taken = {t: set(names) for t, names in taken.items() if t in near}
    put = [(t, names) for t, names in put if t in near]
    while True:
        sees = {n: closure(n, taken) for n in near}
        more = [
            (n, given) for base, given in put for n in near if sees[n] & sees[base] and not given <= taken.get(n, set())
        ]
        for n, given in more:
            taken.setdefault(n, set()).update(given)
        if not more:
            return {n for n in near if sees[n] & sees[name]}


def closure(name: str, edges: Mapping[str, set[str]]) -> set[str]:
    """The names that edges lead to from a name, with itself."""
    found, todo = {name}, [name]
    while todo:
        new = edges.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def is_unseen(
    f: ir.Function,
    s: Assign,
    name: str,
    behind: Live,
    hands: Hands,
    apart: Callable[[Stmt], bool],
    outputs: Iterable[str] = (),
    puts: Callable[[Op], bool] = lambda call: True,
) -> bool:
    """Whether nobody sees what an update `x += e` of the object of `name` writes, if it writes at all.

    behind: the names that are read behind the statement. The caller sees what a parameter may be, or hold.
    apart, puts: see `same_object`.
    """
    group = same_object(f, name, hands, apart, puts=puts)
    return not {ir.root_name(n) for n in group} & set(outputs) and not (group - {s.target}) & behind


def updates_of_new(f: ir.Function, hands: Hands) -> frozenset[int]:
    """The updates `x += e` of an object that the function has made before, and that no other name has got since: to
    write into it and to bind x anew is the same then."""
    found: set[int] = set()

    def without(own: frozenset[str], lost: set[str]) -> frozenset[str]:
        return frozenset(n for n in own if n not in lost and ir.root_name(n) not in lost)

    def given(s: Stmt) -> set[str]:
        if isinstance(s, Assign):
            return held(s.value, hands)
        return set() if isinstance(s, ir.If) else {n for e in ir.expressions(s) for n in ir.reads(e)}

    def block(b: Block, own: frozenset[str]) -> frozenset[str]:
        for s in b:
            match s:
                case ir.If(body=body, orelse=orelse):
                    own = block(body, own) & block(orelse, own)
                case ir.For(body=body) | ir.While(body=body):
                    outer = {*given(s), *ir.binds(s)}
                    own = without(own, outer)
                    while (again := own & without(block(body, own), outer)) != own:  # what each round finds
                        own = again
                case Assign(target=target, value=Op(args=(Var(name=name), *_)) as value) if ir.is_update(value):
                    mine = name in own
                    (found.add if mine else found.discard)(id(s))  # the last pass over a loop decides
                    own = without(own, {name, target}) | ({target} if mine else set())
                case Assign(target=target):
                    names = given(s)
                    own = without(own, {*names, target}) | (set() if names else {target})
                case _:
                    own = without(own, {*given(s), *ir.binds(s)})
        return own

    block(f.body, frozenset())
    return frozenset(found)


def rebound_items(f: ir.Function) -> ir.Function:
    """`L[k] += e` of a list whose items nobody else sees binds the slot to a new value: `L[k] = L[k] + e`."""
    every = list(ir.statements(f.body))
    if not any(isinstance(s, ir.Store) and s.update and s.update != "at" for s in every):
        return f
    bound = Counter(n for s in every for n in ir.binds(s))
    readers: dict[str, list[Stmt]] = {}
    for s in every:
        for n in frozenset[str]().union(*map(ir.reads, ir.expressions(s))):
            readers.setdefault(n, []).append(s)
    temps = {
        s.target: s.value
        for s in every
        if isinstance(s, Assign)
        and bound[s.target] == 1
        and s.target not in f.names
        and s.origin is not None
        and all(r.origin is s.origin for r in readers.get(s.target, ()))
    }
    grown = {s.array for s in every if isinstance(s, ir.Append)} & temps.keys()
    kept: set[str] = set()  # bound outside of the loop that puts them into a list: all its items are one object
    for s in every:
        inside = list(ir.statements(s.body)) if isinstance(s, ir.For | ir.While) else []
        here = {t.target for t in inside if isinstance(t, Assign)}
        kept |= {n for t in inside if isinstance(t, ir.Append | ir.Store) for n in held(t.value)} - here
    puts = Counter(n for s in every if isinstance(s, ir.Append | ir.Store) for n in held(s.value))
    kept |= {n for n, k in puts.items() if k > 1}  # L[0] = L[1] = x + 1
    rebound = _Rebound({n: e for n, e in temps.items() if n not in grown | kept}, grown)
    rebound.find_taken(f.body)
    return rebound.function(f)


ALL = 99  # levels of lists, where every list in a structure is new
Own = dict[str, int]  # of how many levels of lists nobody else sees the items


class _Rebound:
    """The lists of new items, whose items no other name sees at a point of a function."""

    def __init__(self, temps: dict[str, Expr], grown: set[str]) -> None:
        self.temps = temps
        self.grown = grown  # lists without a name of their own: of a comprehension that is a loop
        self.taken: set[int] = set()  # statements that take an item out of a list, at one of its ends: `t = L[k].pop()`

    def function(self, f: ir.Function) -> ir.Function:
        body, _ = self.block(f.body, {})
        return replace(f, body=body)

    def find_taken(self, b: Block) -> None:
        lines = [s for s in b if not (isinstance(s, Assign) and s.target in self.temps)]
        for s, after in itertools.pairwise(lines):
            if isinstance(s, Assign) and (item := self.lost(after)) is not None and self.tree(s.value) == item:
                self.taken |= {id(s), id(after)}
        for i, s in enumerate(lines):
            if isinstance(s, Assign) and isinstance(s.value, ir.Index) and self.is_replaced(s, lines[i + 1 :]):
                self.taken.add(id(s))
        for s in b:
            for inner in ir.blocks(s):
                self.find_taken(inner)

    def is_replaced(self, s: Assign, behind: list[Stmt]) -> bool:
        """Whether a slot gets another value before anything else is done with it, or with what was in it:
        `row = L[k]`, `L[k] = [...]`."""
        place = self.tree(s.value)
        names = {s.target, *ir.reads(place)}
        for after in behind:
            if isinstance(after, ir.Store) and not after.update and self.tree(after.target) == place:
                return not names & self.deep(after.value)
            every = list(ir.statements((after,)))
            mentioned = {n for e in every for x in ir.expressions(e) for n in ir.reads(self.tree(x))}
            bound = {n for e in every for n in ir.binds(e)}
            if mentioned & {s.target, self.slot(s.value)[0]} or bound & names:
                return False
        return False

    def lost(self, s: Stmt) -> Expr | None:
        """The item at one end that a statement takes out of a list: `L = L[:-1]`, or in a slot, `L[k] = L[k][1:]`."""
        match s:
            case ir.Store(target=target, value=value, update=""):
                place = self.tree(target)
            case Assign(target=name, value=value):
                place = Var(name)
            case _:
                return None
        return ir.lost_item(place, self.tree(value))

    def added(self, s: ir.Append | ir.Store) -> Expr:
        """What a statement puts into a list; what is new of `L[k] = [*L[k], v]`, as a list."""
        item = ir.longer_slot(self.tree(s.target), self.tree(s.value)) if isinstance(s, ir.Store) else None
        return s.value if item is None else ir.Sequence((item,), "list")

    def tree(self, e: Expr) -> Expr:
        if isinstance(e, Var) and e.name in self.temps:
            return self.tree(self.temps[e.name])
        return ir.rebuild(e, self.tree)

    def deep(self, e: Expr) -> set[str]:
        return {n for x in held(e) for n in (self.deep(self.temps[x]) if x in self.temps else {x})}

    def levels(self, e: Expr) -> int:
        """Of how many levels of lists a value is made here, down to items that are made here."""
        match e:
            case Var(name=name) if name in self.temps:
                return self.levels(self.temps[name])
            case ir.Sequence(kind="list", items=items):
                once = Counter(n for i in items for n in held(i))  # [t, t] holds one item twice
                if e.starred or any(map(self.deep, items)) or any(k > 1 for k in once.values()):
                    return 0
                return 1 + min(map(self.levels, items), default=ALL)
            case ir.Dict(values=values):  # the entries of a dict, and the attributes of an object, as items of a list
                return self.levels(ir.Sequence(values, "list"))
            case ir.Comprehension(kind="list", element=element):
                return 0 if held(element) else 1 + self.levels(element)
            case ir.Const():
                return ALL
        return ALL if isinstance(e, Op) and e.fn in NEW else 0

    def slot(self, target: Expr) -> tuple[str, int]:
        """The list that a slot belongs to, and the level that it lies in; "" where a part of the list is copied."""
        match target:
            case Var(name=name) if name in self.temps:
                return self.slot(self.temps[name])
            case Var(name=name):
                return name, 0
            case ir.Index(array=array, key=key) if not isinstance(key, ir.Slice):
                name, level = self.slot(array)
                return name, level + 1
        return "", 0

    def joined(self, e: Expr) -> set[str]:
        """The names that are operands: of lists, `L + M` has the items."""
        if isinstance(e, Var) and e.name in self.temps:
            return self.joined(self.temps[e.name])
        operands = e.args if isinstance(e, Op) and e.fn in JOINS and e.form is ir.Form.OPERATOR else ()
        return {n for a in operands for n in (self.deep(a) | self.joined(a))}

    def seen(self, s: Stmt) -> set[str]:
        """The names whose items a statement itself lets another name see, or that it binds to what others see."""
        match s:
            case Assign(target=name) if id(s) in self.taken:
                return set() if self.lost(s) else {name}
            case ir.Store() if id(s) in self.taken:
                return set()
            case Assign(target=name, value=value) if name not in self.temps and (parts := self.joined(value)):
                return {*self.deep(value), *parts, name}
            case Assign(target=name, value=value):
                return set() if name in self.temps else {*self.deep(value), name}
            case ir.Append() | ir.Store():
                if isinstance(s, ir.Store) and s.update:
                    return set()
                found = self.deep(self.added(s))
                base = Var(s.array) if isinstance(s, ir.Append) else s.target
                return {self.slot(base)[0], *ir.binds(s), *found} if found else found
            case ir.Return() | ir.If() | ir.While():
                return set()
        return {n for e in ir.expressions(s) for n in self.deep(e)}.union(ir.binds(s))

    def put(self, s: Stmt, own: Own) -> Own:
        """What is own behind a statement that puts something new into a list: as many levels as that has."""
        if not isinstance(s, ir.Append | ir.Store) or id(s) in self.taken:
            return own
        name, level = (s.array, 1) if isinstance(s, ir.Append) else self.slot(s.target)
        value = 0 if isinstance(s, ir.Store) and s.update else self.levels(self.added(s))
        return own | {name: min(own[name], level + value)} if name in own else own

    def behind(self, s: Stmt, own: Own) -> Own:
        if isinstance(s, ir.Append | ir.Store) and isinstance(s.value, Var) and s.value.name in self.grown & own.keys():
            name, level = (s.array, 1) if isinstance(s, ir.Append) else self.slot(s.target)
            levels = level + own[s.value.name]  # what a comprehension has made is put into a list
            own = {n: k for n, k in own.items() if n != s.value.name}
            return own | {name: min(own[name], levels)} if name in own else own
        seen = self.seen(s)
        return self.put(s, {n: k for n, k in own.items() if n not in seen})

    def around(self, s: ir.For | ir.While, own: Own) -> Own:
        """What is own before each round of a loop, and behind it."""
        while True:
            after = self.behind(s, self.block(s.body, own)[1])
            both = {n: min(own[n], after[n]) for n in own.keys() & after.keys()}
            if both == own:
                return own
            own = both

    def block(self, b: Block, own: Own) -> tuple[Block, Own]:
        """The block, and what nobody else sees behind it; own: what nobody else sees before it."""
        out: list[Stmt] = []
        for s in b:
            match s:
                case ir.If():
                    body, one = self.block(s.body, own)
                    orelse, other = self.block(s.orelse, own)
                    s = replace(s, body=body, orelse=orelse)
                    own = {n: min(one[n], other[n]) for n in one.keys() & other.keys()}
                case ir.For() | ir.While():
                    own = self.around(s, self.behind(s, own))
                    s = replace(s, body=self.block(s.body, own)[0])
                case Assign(value=Var(name=name)) if name in self.grown and name in own:
                    own = {n: k for n, k in own.items() if n != name} | {s.target: own[name]}
                case Assign() if s.target not in self.temps and (new := self.levels(s.value)):
                    own = own | {s.target: new}
                case _:
                    if isinstance(s, ir.Store) and s.update and s.update != "at":
                        name, level = self.slot(s.target)
                        if 0 < level <= own.get(name, 0):
                            assert isinstance(s.value, Op)
                            s = replace(s, update="", value=replace(s.value, spelling=f"{s.update}="))
                    own = self.behind(s, own)
            out.append(s)
        return tuple(out), own


__all__ = ["held", "owned", "settle"]
