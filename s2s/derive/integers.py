"""Arrays that are written in place, where they might be integers: what is written would lose its fraction, unseen.

An array has the dtype of what it is made of: `y = np.roll(x, 1)` is one of floats if x is, `y = a * x` if a or x is.
So the output asks its arguments, before it begins.
"""

from __future__ import annotations

import functools
from collections.abc import Container, Iterable, Sequence

from s2s import ir, rules
from s2s.analysis import asserted, transfer
from s2s.analysis.activity import operands
from s2s.analysis.aliases import CONTAINERS
from s2s.analysis.containers import is_zeros, root_of
from s2s.analysis.facts import NOT_DIFFERENTIABLE, Fact, Facts
from s2s.derive.apart import writes_arrays
from s2s.derive.context import Context
from s2s.derive.owned import SIZES
from s2s.derive.phrases import (
    displayed,
    dot,
    equals,
    fields_asked,
    is_list_of_numbers,
    is_none,
    method,
    no_dicts,
    unless,
)
from s2s.derive.survey import survey
from s2s.frozen import replace
from s2s.ir import Assign, Const, Expr, Op, Stmt, Var

Clauses = frozenset[frozenset[str]]  # an array of floats if in each clause one name at least is of floats
ALWAYS: Clauses = frozenset()
NEVER: Clauses = frozenset({frozenset()})
FLOATS = ("builtins.float", "numpy.double", "numpy.float64", "numpy.float32", "numpy.single", "numpy.longdouble")
KEEP_DTYPE = frozenset(  # tangents of these have the dtype of the tangents that they are given
    f"numpy.{n}" for n in ("add", "subtract", "negative", "positive", "absolute", "maximum", "minimum", "where", "clip")
)


OF_ANYTHING = frozenset(
    f"numpy.{n}" for n in ("array", "asarray", "asanyarray", "ascontiguousarray", "atleast_1d", "atleast_2d")
)


def makes_floats(value: Expr) -> bool:
    """Whether a value is made of another one by an operation on numbers that makes floats of whole ones: `-(x * 1.0)`,
    where the tangent may be that of x as it is."""
    match value:
        case Op(fn=fn, args=args) if getattr(rules.lookup(fn), "kind", "") in ("elementwise", "multilinear"):
            return fn not in KEEP_DTYPE or any(map(makes_floats, args))
    return False


def fewest(clauses: Iterable[frozenset[str]]) -> Clauses:
    """The clauses without those that others imply."""
    every = set(clauses)
    return frozenset(c for c in every if not any(other < c for other in every if other))


class Dtypes:
    """What the dtypes of the arrays of one function follow from."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.values: dict[str, list[Expr]] = {}
        whole: set[str] = set()  # classes that only whole numbers are written into
        stored: set[str] = set()
        for s in ir.statements(ctx.function.body):
            match s:
                case ir.For(target=target, iterable=value):
                    for n in ir.target_names(target):
                        self.values.setdefault(n, []).append(value)
                case Assign(value=value) | ir.Unpack(value=value):
                    for n in ir.binds(s):
                        self.values.setdefault(n, []).append(value)
                case ir.Append(array=n, value=value):
                    self.values.setdefault(n, []).append(value)
                case ir.Store(target=target, value=value):
                    is_whole = isinstance(value, Const) and not isinstance(value.value, float)
                    (whole if is_whole else stored).add(ctx.aliases.of.get(ir.written_name(target), ""))
                    if isinstance(target.array, Var) and ctx.facts.of(target.array).keyed:  # what lies in a dict
                        self.values.setdefault(target.array.name, []).append(value)
            for call in (n for n in ir.nodes(s) if isinstance(n, Op) and ctx.written(n)):
                stored |= {ctx.aliases.of.get(n, "") for n in ir.reads(call)}
            for e in (e for e in ir.nodes(s) if isinstance(e, ir.Comprehension)):
                for target, iterable, _ in e.clauses:
                    for n in ir.target_names(target):
                        self.values.setdefault(n, []).append(iterable)

        self.stored = ctx.aliases.members.keys() - (whole - stored)
        self.conditions: dict[str, Clauses] = {}  # of names, as `condition` finds them

    def made(self) -> list[tuple[str, Expr]]:
        """The active arrays that are written in place, and what each is made of where it is made here."""
        of, active, facts = self.ctx.aliases.of, self.ctx.activity.active, self.ctx.facts
        return [
            (n, e)
            for n, values in self.values.items()
            if n in active and of.get(n) in self.stored and not of_numbers(facts.of(Var(n)), facts)
            for e in values
            if not is_number(e) and not is_zeros(e)
            if not (self.is_view(e) and ir.reads(e) & of.keys())
        ]

    def is_view(self, e: Expr) -> bool:
        return isinstance(e, Var) or (isinstance(e, ir.Index) and self.is_view(e.array))

    def casts(self) -> list[Expr]:
        """What active values take their dtype from: `a.astype(x.dtype)`, `np.full_like(x, a)`."""
        found: list[Expr] = []
        for s in ir.statements(self.ctx.function.body):
            for e in ir.nodes(s):
                if not isinstance(e, Op) or self.ctx.facts.of(e).kind != "any":
                    continue
                dtype = transfer.dtype_argument(e)
                if dtype is not None and any(self.is_active(a) for a in e.args if a != dtype):
                    found.append(dtype)
                elif e.fn == "numpy.full_like" and dtype is None and any(self.is_active(a) for a in e.args[1:]):
                    found.append(e.args[0])
        return found

    def is_active(self, e: Expr) -> bool:
        return any(v.name in self.ctx.activity.active for v in operands(e))

    # ------------------------------------------------------------ values
    @functools.cached_property
    def containers(self) -> set[str]:
        """The parameters that may be lists, or are dicts: these have no dtype."""
        names, facts = self.ctx.function.names, self.ctx.facts
        return {n for n in names if n in survey(self.ctx).containers or facts.of(Var(n)).kind == "dict"}

    def clauses(self, e: Expr) -> Clauses:
        """When the elements of `e` are floats."""
        facts = self.ctx.facts
        match e:
            case Var(name="complex") | Const(value="complex" | "complex64" | "complex128"):
                return ALWAYS
            case Var(name="float") if "float" not in {*self.values, *self.ctx.function.names}:
                return ALWAYS  # the dtype
            case Var(name="int" | "bool" as n) if n not in self.values and n not in self.ctx.function.names:
                return NEVER  # the dtype
            case Var(name=n) if n in self.containers:
                return NEVER  # it may be a list, which has no dtype: the arrays that come of it are asked
            case Op() if is_zeros(e):
                return ALWAYS
            case Op(fn=fn) if fn in FLOATS:
                return ALWAYS
            case Var(name=n):
                if n in self.values and n not in self.ctx.function.names:
                    return self.condition(n)
                named = facts.of(e).kind in ("any", "str")  # of a text the dtype that it names is asked
                given = frozenset({frozenset({n})}) if named else self.known(e)
                return self.condition(n) | given
            case ir.Index(key=Const(value=str())):
                return NEVER  # of a dict, which has no dtype either
            case ir.Index(array=array):
                return self.clauses(array)
            case ir.Attribute(value=Var(name=n), name=name) if n not in {*self.values, *self.ctx.function.names}:
                is_type = self.ctx.calls.source.imports.get(n) == "numpy"  # np.int64
                return NEVER if not is_type or "int" in name or name.startswith("bool") else ALWAYS
            case ir.Attribute(value=value, name=name):
                return NEVER if name in ("shape", "size", "ndim") else self.clauses(value)
            case Op(fn=fn) if fn in SIZES:
                return NEVER
            case Op(fn="operator.ifexp", args=(_, one, other)):
                return self.clauses(one) | self.clauses(other)
            case Op() if (dtype := transfer.dtype_argument(e)) is not None and facts.of(e).kind == "any":
                return self.clauses(dtype)
            case Op(fn="numpy.arange", args=args, options=()):  # of unknown numbers it is taken for one of floats
                return self.one_of(args)
            case Op() if facts.of(e).kind in ("float", "int", "bool"):
                return self.known(e)
            case Op(fn=fn) if fn.startswith(("method.", "module.", "object.")) and rules.lookup(fn) is None:
                return NEVER  # of an object, which has no dtype
            case Op(args=args, options=options):
                return self.one_of([*args, *(v for _, v in options)])
            case ir.Sequence(items=items) if items:
                return self.one_of(items)
            case ir.Slice(start=start, stop=stop, step=step):  # an item of np.mgrid[0:1:5j], or of np.r_[0:3]
                return self.one_of([p for p in (start, stop, step) if p is not None])
            case ir.Comprehension():
                return self.one_of([e.element])
        return NEVER if isinstance(e, Const) and not isinstance(e.value, float | complex) else self.known(e)

    def known(self, e: Expr) -> Clauses:
        return NEVER if self.ctx.facts.of(e).kind in ("int", "bool", "other") else ALWAYS  # a list of ints is "other"

    def condition(self, name: str) -> Clauses:
        """When all values that are bound to a name are of floats. Of names that loops make of each other, it is the
        weakest condition that holds: what they are made of before the loop decides."""
        if name not in self.conditions:
            new, todo = set[str](), [name]
            while todo:
                n = todo.pop()
                if n not in new and n not in self.conditions:
                    new.add(n)
                    todo += (r for value in self.values.get(n, ()) for r in ir.reads(value))
            self.conditions |= dict.fromkeys(new, ALWAYS)
            in_order = [n for n in self.values if n in new]
            settled = False
            while not settled:
                settled = True
                for n in in_order:
                    found = fewest(c for value in self.values[n] for c in self.clauses(value))
                    settled &= found == self.conditions[n]
                    self.conditions[n] = found
        return self.conditions[name]

    def one_of(self, parts: list[Expr] | tuple[Expr, ...]) -> Clauses:
        """When the elements of what is made of several parts are floats: if those of one part are."""
        result = NEVER
        for found in (self.clauses(p) for p in parts):
            result = fewest(a | b for a in result for b in found)
        return result

    def is_zeros(self, e: Expr) -> bool:
        match e:
            case Var(name=n):
                return n not in self.ctx.function.names and all(map(is_zeros, self.values.get(n, [ir.NONE])))
        return is_zeros(e)

    # ------------------------------------------------------------ tangents
    def seeds(self, e: Expr) -> set[str]:
        """The parameters whose tangents come into that of `e` without a factor that is a float."""
        found, todo = set[str](), [e]
        while todo:
            new = self.bare(todo.pop()) & self.ctx.activity.active - found
            found |= new
            todo += (value for n in new for value in self.values.get(n, ()))
        return found & set(self.ctx.function.names) - self.containers

    def bare(self, e: Expr) -> set[str]:
        """The names whose tangents come into that of `e` without a factor that is a float."""
        match e:
            case Var(name=n):
                return {n}
            case ir.Index(key=Const(value=str())):
                return set()
            case ir.Index(array=array) | ir.Attribute(value=array):
                return self.bare(array)
            case Op(fn="numpy.multiply" | "numpy.divide", args=(a, Const(value=1.0 | -1.0))):
                return self.bare(a)  # the factor is left out
            case Op(fn="numpy.multiply", args=(Const(value=1.0 | -1.0), b)):
                return self.bare(b)
            case Op(fn="numpy.multiply" | "numpy.divide" | "numpy.matmul" | "numpy.dot", args=(a, b)):
                if e.fn == "numpy.divide" or any(self.ctx.facts.of(x).kind == "float" for x in (a, b)):
                    return set()
                return self.bare(a) | self.bare(b)
            case Op(fn="helper._added", args=args) if any(self.is_zeros(a) or not self.is_active(a) for a in args):
                return set()  # the tangent of that operand is made: zeros, which are floats
            case Op(fn=fn, args=args):
                if fn not in KEEP_DTYPE and getattr(rules.lookup(fn), "kind", "") == "elementwise":
                    return set()
                if not self.is_active(e):  # np.zeros_like(x): its tangent is zeros, too
                    return set()
                return {n for a in args for n in self.bare(a)}
            case ir.Sequence(items=items):
                return {n for i in items for n in self.bare(i)}
            case ir.Comprehension():
                return self.bare(e.element)
        return set()


def float_guards(ctx: Context, dots: dict[str, str] | None = None, inside: bool = False) -> list[Stmt]:
    """Arguments that arrays follow which are written in place; and tangents (`dots`) that their tangents follow.

    inside: of a helper, whose caller has asked for the arrays that it hands over.
    """
    dtypes = Dtypes(ctx)
    facts, active = ctx.facts, ctx.activity.active
    made = dtypes.made()
    names = [n for n in ctx.function.names if n in ctx.aliases.of and not inside]
    wanted = {frozenset({n}) for n in names if facts.of(Var(n)).kind == "any" and n in active}
    plain = {p.name for p in ctx.function.params if p.annotation in ("float", "int", "bool", "complex")}
    for e in (*(e for _, e in made), *dtypes.casts()):
        wanted |= dtypes.clauses(e)
    wanted = {c for c in fewest(wanted) if c}
    order = {n: i for i, n in enumerate(ctx.function.names)}
    clauses = sorted(
        (sorted(c, key=lambda n: (order.get(n, len(order)), n)) for c in wanted),
        key=lambda c: [(order.get(n, len(order)), n) for n in c],
    )
    kinds: list[Expr] = []
    out: list[Stmt] = []
    anything = made_into_arrays(ctx.function)

    may_be_lists = read_by_items(ctx)

    def array(name: str, shown: str = "") -> Expr:
        e = Var(shown or name)
        return Op("numpy.asarray", (e,)) if name in may_be_lists or name in anything else e

    lists = [n for n in ctx.function.names if facts.of(Var(n)).kind in ("list", "tuple")]
    items = [
        (facts.of(Var(n)).kind == "list", v.array.name)
        for n, e in made
        if isinstance(e, Var)
        for v in dtypes.values.get(e.name, [])
        if isinstance(v, ir.Index) and isinstance(v.array, Var)
    ]
    anything |= {of for listed, of in items if listed and of in ctx.function.names}  # `list(xs)`: of a list, too
    copied = {of for listed, of in items if ir.is_part(of) or (listed and facts.shape(Var(of)).rank is None)}
    for clause in clauses:
        arrays = [n for n in clause if facts.is_real(Var(n))]
        if not arrays or len(arrays) < len(clause) or plain & set(clause):
            continue
        if len(arrays) == 1 and arrays[0] in (*lists, *copied):  # list(xs), list(out_bar["x"]): it may be a list
            out += _each_float(Var(arrays[0]), facts.of(Var(arrays[0])))
            continue
        kinds.append(_kind([array(n) for n in arrays], len(arrays) == 1 and facts.is_array(Var(arrays[0]))))
    followed = {n for n in names if n in active}.union(*(dtypes.seeds(e) for _, e in made))
    handed = {
        a.name
        for s in ir.statements(ctx.function.body)
        for c in ir.helper_calls(*ir.expressions(s))
        for a in c.args
        if isinstance(a, Var)
    }
    for n in ctx.function.names:
        if dots and n in followed and n in dots and facts.is_real(Var(n)) and n not in (*lists, *copied):
            kind = _kind([array(n, dots[n])], facts.is_array(Var(n)))
            if n in handed and facts.ndim(Var(n)) is None:  # for the helper it may be a dict
                out.append(ir.Inert("assert", (Op("operator.in", (kind, Const("fO")), form=ir.Form.OPERATOR),)))
            else:
                kinds.append(kind)
    said = asserted.stated_to_be(ctx.function, Const("f"))
    kinds = [k for k in kinds if k not in said]
    for n in (p for p in ctx.function.names if p in ctx.optional):  # what stands for one that is left out is made here
        for given in (n, (dots or {}).get(n)):
            own = [k for k in kinds if given and ir.reads(k) == {given}]
            if own:
                kinds = [k for k in kinds if k not in own]
                tests = (is_none(Var(n)), equals(*own, Const("f")))
                out.append(ir.Inert("assert", (Op("operator.or", tests, form=ir.Form.OPERATOR),)))
    if kinds:
        out.insert(0, ir.Inert("assert", (equals(*kinds, Const("f")),)))
    asked = fields_asked(ctx.function)
    for n in (*lists, *sorted(copied.difference(lists))):
        fact = facts.of(Var(n))
        if of_numbers(fact, facts) or (inside and of_structures(fact)):
            continue
        if n in names and n in active and n not in ctx.optional and facts.is_real(Var(n)) and writes_arrays(ctx, n):
            out += _each_float(Var(n), fact, asked)
        if dots and n in followed and n in dots and facts.is_real(Var(n)):
            out += _each_float(Var(dots[n]), fact, asked)
    return out


def read_by_items(ctx: Context) -> frozenset[str]:
    """The parameters that may be lists: nothing is done with them that only an array takes."""
    facts = ctx.facts
    every = (e for s in ir.statements(ctx.function.body) for e in ir.expressions(s))
    used = {n for e in every for part in ir.walk(e) for n in no_dicts(part)}
    in_parts = ctx.calls.read_in_parts(ctx.function.name) if ctx.function.name in ctx.calls.source.functions else ()

    def is_open(name: str) -> bool:
        if facts.ndim(Var(name)) is not None and not asserted.stated_rank(ctx.function, name):
            return False
        return Var(name) not in used if facts.is_array(Var(name)) else name in in_parts

    return frozenset(filter(is_open, ctx.function.names))


def known_floats(ctx: Context, guards: Iterable[Stmt]) -> set[str]:
    """The parameters that guards have asked one by one to be arrays of floats, and that are bound to nothing else; and
    what is made of these, or of lists that make such arrays: `un = u.copy()`."""
    arrays: set[str] = set()
    lists: set[str] = set()
    for guard in guards:
        for e in ir.nodes(guard):
            match e:
                case ir.Attribute(value=ir.Attribute(value=Var(name=name), name="dtype"), name="kind"):
                    arrays.add(name)
                case ir.Attribute(value=Op(fn="numpy.result_type", args=(Var(name=name),)), name="kind"):
                    arrays.add(name)
                case ir.Attribute(
                    value=ir.Attribute(value=Op(fn="numpy.asarray", args=(Var(name=name),))), name="kind"
                ):
                    lists.add(name)
    if not arrays | lists:
        return arrays
    again = {n for s in ir.statements(ctx.function.body) for n in ir.binds(s)}
    arrays, lists = ((found & set(ctx.function.names)) - again for found in (arrays, lists))
    dtypes = Dtypes(ctx)
    made = {n: dtypes.condition(n) for n in dtypes.values.keys() - ctx.function.names}
    asked = arrays | lists
    return arrays | {n for n, clauses in made.items() if clauses and not any(map(asked.isdisjoint, clauses))}


def of_numbers(fact: Fact, facts: Facts) -> bool:
    """Whether a list is one of numbers, or of such lists: their items are bound anew, to numbers of any type."""
    inner = fact.elem
    deeper = inner is not None and fact.kind == inner.kind == "list" and of_numbers(inner, facts)
    return deeper or is_list_of_numbers(fact, facts)


def of_structures(fact: Fact) -> bool:
    """Whether the items of a list are known to be lists, dicts or objects, which have no dtype."""
    return fact.elem is not None and fact.elem.kind in CONTAINERS


def is_number(e: Expr) -> bool:
    """A number of Python's, into which nothing is written: `s = 0` before `s = s + x`."""
    return isinstance(e, Const) or (isinstance(e, Op) and e.fn in ("builtins.len", "numpy.size", "numpy.ndim"))


def _each_float(items: Expr, fact: Fact, fields: Container[object] | None = None) -> list[Stmt]:
    """Asserts that the items of a list, a tuple or a dict are numbers, or arrays, of floats. fact: of these. fields: of
    objects, those that are asked; all where it is None."""
    if fact.kind == "tuple" and any(i.kind in CONTAINERS for i in fact.items):
        parts = [(ir.Index(items, Const(k)), i) for k, i in enumerate(fact.items) if i.kind not in NOT_DIFFERENTIABLE]
        tests = [equals(_kind([part], False), Const("f")) for part, i in parts if i.kind not in CONTAINERS]
        inside = [s for part, i in parts if i.kind in ("list", "tuple") for s in _each_float(part, i)]
        return [*(ir.Inert("assert", (test,)) for test in tests), *inside]
    v, over, elem = Var("v"), method("values", items) if fact.keyed else items, fact.elem
    clauses: ir.Clauses = ((v, over, ()),)
    while elem is not None and elem.kind == "list" and not elem.keyed and elem.elem is not None:  # lists of lists
        inner = Var(f"v{len(clauses)}")
        clauses, v, elem = (*clauses, (inner, v, ())), inner, elem.elem
    asked: list[Expr] = [v]
    if elem is not None and elem.kind in CONTAINERS:  # of objects, those that are arrays
        others = (*NOT_DIFFERENTIABLE, *CONTAINERS, "float")
        held = [k for k, i in zip(elem.keys, elem.items, strict=False) if elem.is_object and i.kind not in others]
        asked = [ir.Index(v, Const(k)) for k in held if fields is None or k in fields]
    if not asked:
        return []
    test = equals(*(_kind([e], False) for e in asked), Const("f"))
    return [ir.Inert("assert", (Op("builtins.all", (ir.Comprehension(test, clauses, "generator"),)),))]


def no_lists(ctx: Context, outputs: Iterable[str] = ()) -> list[str]:
    """Parameters into whose items the function writes, which have to be arrays: the items of a list of arrays were the
    caller's; what is returned, which is a copy made by NumPy; and `outputs`, whose final elements are results."""
    open_ = [n for n in ctx.function.names if n in ctx.aliases.of and ctx.facts.of(Var(n)).kind == "any"]
    if not open_:
        return []
    lists = ctx.calls.open_parameters(ctx.function) | given_for_items(ctx) | updated_by_another_name(ctx)[0]
    returns = [s.value for s in ir.statements(ctx.function.body) if isinstance(s, ir.Return) and s.value is not None]
    lists |= {e.name for value in returns for e in displayed(value) if isinstance(e, Var)} & read_by_items(ctx)
    return [n for n in open_ if n in lists or (n in outputs and ctx.facts.ndim(Var(n)) is None)]


def list_guards(names: Iterable[str], outputs: Container[str] = ()) -> list[Stmt]:
    """Asserts that parameters are no lists, tuples or dicts. Of `outputs`, lists of numbers may be stated."""
    kinds = Const(None, "(dict, list, tuple)")
    tests = {n: Op("builtins.isinstance", (Var(n), kinds), spelling="isinstance") for n in names}
    kind = {n: "list[float]" if n in outputs else "list" for n in tests}
    return [unless(test, f"of a list, state {n}: {kind[n]}") for n, test in tests.items()]


def given_for_items(ctx: Context) -> set[str]:
    """The parameters of which helpers may write into items: `write(pick(rows, 0))`, or `write(row)` of `row, *rest =
    rows`. Where these are dicts, the arrays in them would be the caller's."""
    classes = ctx.aliases.of
    found: set[str] = set()
    for s in ir.statements(ctx.function.body):
        places = ir.walk(s.target) if isinstance(s, ir.Store) else ()
        for e in (*ir.nodes(s), *places):
            match e:
                case Op(fn="method.items" | "method.values", args=(of,)) | ir.Index(array=of, key=Const(value=str())):
                    found |= {n for n, c in classes.items() if c == classes.get(root_of(of))}  # no array has such
        found |= _deeper_in_helpers(ctx, s)
    return found & set(ctx.function.names)


def updated_by_another_name(ctx: Context) -> tuple[set[str], set[str]]:
    """The parameters that an augmented assignment changes as a whole by another name, `u = x`, then `u *= k`, and those
    of which it changes an item: `u = x[0]`. Of a list it binds that name anew where k is an array."""
    names = set(ctx.function.names)
    of = {n: (n, False) for n in read_by_items(ctx)}
    for s in ir.statements(ctx.function.body):
        if not isinstance(s, ir.Assign) or s.target in names:
            continue
        match s.value:
            case Var(name=name) if name in of:
                of[s.target] = of[name]
            case ir.Index(array=Var(name=name), key=key) if name in of:
                if not any(isinstance(k, ir.Slice) for k in ir.key_items(key)):
                    of[s.target] = of[name][0], True
    updates = (s.target for s in ir.statements(ctx.function.body) if isinstance(s, ir.Store) and s.update)
    changed = {t.array.name for t in updates if isinstance(t.array, Var) and t.key == ir.ELLIPSIS}
    found = {of[n] for n in changed & of.keys() - names}
    return {n for n, item in found if not item}, {n for n, item in found if item}


def arrays_inside(ctx: Context, arrays: Container[str]) -> list[Stmt]:
    """Asserts that of parameters, but `arrays`, the items are no lists, where an augmented assignment changes one."""
    v, kinds = Var("v"), Const(None, "(list, tuple)")
    test = Op("builtins.isinstance", (v, kinds), spelling="isinstance")
    _, items = updated_by_another_name(ctx)
    asked = [n for n in ctx.function.names if n in items and n not in arrays and ctx.facts.of(Var(n)).kind == "any"]
    any_ = [Op("builtins.any", (ir.Comprehension(test, ((v, Var(n), ()),), "generator"),)) for n in asked]
    return [unless(e, f"of lists in a list, make arrays of {n}") for n, e in zip(asked, any_, strict=True)]


def _deeper_in_helpers(ctx: Context, s: Stmt) -> set[str]:
    """The names into whose items the helpers that a statement calls may write, as far as the classes tell."""
    classes = ctx.aliases.of
    found: set[str] = set()
    for call in ir.helper_calls(*ir.expressions(s)):
        for p, e in ctx.written(call).items():
            given = {classes[v.name] for v in ir.walk(e) if isinstance(v, Var) and v.name in classes}
            deeper = ctx.calls.writes_items(call.fn[6:], p)
            found |= {n for n, c in classes.items() if c in given and (deeper or e != Var(n))}
    return found


def asserted_copies(ctx: Context, body: list[Stmt]) -> list[Stmt]:
    """The statements, with asserts behind copies that are arrays: into an item of one something is written, and that of
    a copy of a list or a dict is the item of what was copied.

    y = x.copy()
    y[0][1] = e
    """
    classes, facts = ctx.aliases.of, ctx.facts

    def copied(s: Stmt) -> Expr | None:
        """What a statement gives a copy of that may be a list or a dict."""
        match s:
            case Assign(target=name, value=Op(fn=fn, args=(e, *_), form=form)) if name in classes:
                whole = fn == "copy.copy" or (fn == "numpy.copy" and form is ir.Form.METHOD)
                unknown = (facts.of(x).kind == "any" and facts.ndim(x) is None for x in (e, Var(name)))
                stated = isinstance(e, Var) and e.name in ctx.known_floats
                return e if whole and s.origin and all(unknown) and not stated else None
        return None

    copies = {n for s in ir.statements(ctx.function.body) if copied(s) is not None for n in ir.binds(s)}
    written: set[str] = set()
    for s in ir.statements(ctx.function.body) if copies else ():
        match s:
            case ir.Store(target=ir.Index(array=array) as target) if (m := ir.written_name(target)) in classes:
                written |= {n for n in copies if classes[n] == classes[m] and array != Var(n)}
        written |= copies & _deeper_in_helpers(ctx, s)

    def visit(block: Iterable[Stmt]) -> tuple[Stmt, ...]:
        out: list[Stmt] = []
        for s in block:
            s = ir.with_blocks(s, visit)
            out.append(s)
            of = copied(s) if isinstance(s, Assign) and s.target in written else None
            if isinstance(s, Assign) and of is not None:
                e = of if isinstance(of, Var) and of.name not in {*ctx.temps, s.target} else Var(s.target)
                out.append(ir.Inert("assert", (Op("builtins.hasattr", (e, Const("dtype")), spelling="hasattr"),)))
        return tuple(out)

    return list(visit(body)) if written else body


def made_into_arrays(f: ir.Function) -> set[str]:
    """The parameters that may be lists and numbers as well as arrays: the function makes an array of what it is given,
    `x = np.asarray(x)`."""
    nodes = (n for s in ir.statements(f.body) for n in ir.nodes(s) if isinstance(n, Op) and n.fn in OF_ANYTHING)
    return {n.args[0].name for n in nodes if n.args and isinstance(n.args[0], Var)} & set(f.names)


def _kind(arrays: Sequence[Expr], array: bool) -> Expr:
    array = array or isinstance(arrays[0], Op)
    dtype = ir.Attribute(arrays[0], "dtype") if array and len(arrays) == 1 else Op("numpy.result_type", tuple(arrays))
    return ir.Attribute(dtype, "kind")


def asserted_floats(ctx: Context, body: list[Stmt]) -> list[Stmt]:
    """The statements, with asserts behind arrays of which no argument says whether they are of floats."""
    if not ctx.aliases.of:
        return body
    dtypes = Dtypes(ctx)
    facts = ctx.facts
    made = (
        (n, e)
        for n, e in dtypes.made()
        if facts.of(Var(n)).kind == "any" or (isinstance(e, Op) and e.fn == "numpy.arange")
    )
    asked = {n for n, e in made if frozenset() in dtypes.clauses(e)}
    asked = {n for n in asked if facts.is_real(Var(n))}
    tangents = {dot(n): n for n in asked if ctx.forward and n in ctx.activity.active}

    def is_count(e: Expr) -> bool:
        """A number that is asked nothing: a float, a place, a length or a key. The name is an array elsewhere."""
        if facts.of(e).kind in ("float", "int", "bool") and facts.is_scalar(e):
            return True
        if isinstance(e, ir.Index) and isinstance(e.array, Var) and dtypes.values.get(e.array.name):
            return all(isinstance(v, Op) and v.fn == ir.KEYS for v in dtypes.values[e.array.name])
        return is_number(e) or facts.of(e).kind == "str"

    def visit(block: Iterable[Stmt]) -> tuple[Stmt, ...]:
        out: list[Stmt] = []
        for s in block:
            match s:
                case ir.If():
                    s = replace(s, body=visit(s.body), orelse=visit(s.orelse))
                case ir.For() | ir.While():
                    s = replace(s, body=visit(s.body))
            out.append(s)
            names: list[str] = []
            if isinstance(s, Assign) and s.target in tangents and getattr(s.value, "fn", "") == "numpy.copy":
                names = [s.target]
            if isinstance(s, Assign | ir.Unpack) and s.origin and not is_count(s.value):
                names = sorted(asked & set(ir.binds(s)))
            if names:
                kinds = [_kind([Var(n)], facts.is_array(Var(tangents.get(n, n)))) for n in names]
                out.append(ir.Inert("assert", (equals(*kinds, Const("f")),)))
        return tuple(out)

    return list(visit(body)) if asked else body
