"""The intermediate representation: a small, frozen Python that serves every stage.

Expressions compare by value, so that patterns and common subexpressions are plain equality. Statements compare by
identity, so that facts about them are plain dicts. The same nodes serve all stages; what a stage may contain is held
by `s2s.check`:

    after normalise   operands that can carry a derivative are atoms (A-normal form); an exit ends its branch
    after derive      operands may be trees; `Augment` and `Store` appear

Operators, calls, methods and `.T` are all one node, `Op`, named by the function that computes them ("numpy.add" for
`a + b`); `form` says how it was written and matters to the printer only. Everything here prints as Python.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import field
from enum import Enum
from functools import lru_cache
from operator import is_
from typing import Any

from s2s.errors import Span
from s2s.frozen import by_identity, by_value, replace


@by_identity
class Origin:
    """The user's statement that IR statements come from; all pieces of it share this one object.

    `text` is the statement on one line (for a compound statement, its header). `label` replaces it in marks where a
    statement was inlined from a helper ("in f: return ...").
    """

    span: Span
    text: str
    above: tuple[str, ...] = ()  # comment lines before it, "" for a blank line
    beside: str = ""  # the comment at its end
    label: str = ""
    kept: bool = False  # it stands in a try: it runs although nobody reads its value, for it may raise
    held: bool = False  # its line ends with `# s2s: constant`


class Form(Enum):
    """How an operation was written, so that it can be written so again."""

    OPERATOR = "operator"  # a + b
    CALL = "call"  # np.add(a, b)
    METHOD = "method"  # x.sum()
    ATTRIBUTE = "attribute"  # x.T
    SUBSCRIPT = "subscript"  # np.c_[a, b]: an object of a library, which makes of its key what it likes
    PART = "part"  # root(f, x0).x: the part of a solver's result that is its solution; spelling: "root.x"


# ---------------------------------------------------------------- expressions

Memo = tuple[frozenset[str], bool]  # what every analysis asks of a node, kept with it: see `reads` and `calls_helpers`


@by_value
class Var:
    """A name. `params["W1"]` and `state.pos` of a parameter are names, too: the `name` is that text."""

    name: str
    after: bool = False  # while deriving: the value after the statement that rebinds it


@by_value
class Const:
    """A literal; `text` is how the user wrote it (1e-3 stays 1e-3)."""

    value: Any
    text: str = field(default="", compare=False)
    kind: str = ""  # tells 1, 1.0 and True apart, which compare equal

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", type(self.value).__name__)


@by_value
class Op:
    """fn(*args, **options), whether it is written as an operator, a call, a method or an attribute."""

    fn: str  # "numpy.add", "math.sin", "builtins.len", "local.helper", "operator.not", "method.items"
    args: tuple[Expr, ...]
    options: tuple[tuple[str, Expr], ...] = ()
    form: Form = field(default=Form.CALL, compare=False)
    spelling: str = field(default="", compare=False)  # the callee as the user wrote it: "np.sin", "sin"
    span: Span | None = field(default=None, compare=False)
    memo: Memo | None = field(default=None, init=False, repr=False, compare=False)
    carried: tuple[Expr, ...] | None = field(default=None, init=False, repr=False, compare=False)  # see `activity`


@by_value
class Index:
    """array[key], read (as a value) or written (as the target of `Store` and `Augment`)."""

    array: Expr
    key: Expr
    span: Span | None = field(default=None, compare=False)
    memo: Memo | None = field(default=None, init=False, repr=False, compare=False)


@by_value
class Slice:
    start: Expr | None
    stop: Expr | None
    step: Expr | None = None


@by_value
class Attribute:
    """value.name for attributes that carry no derivative: shape, size, ndim, dtype, or a module's constant."""

    value: Expr
    name: str
    span: Span | None = field(default=None, compare=False)


@by_value
class Sequence:
    """A tuple, list or set display. `starred` holds the positions of items written with a star."""

    items: tuple[Expr, ...]
    kind: str = "tuple"
    starred: frozenset[int] = frozenset()


class Attr(str):
    """The name of an attribute where a key stands: `p.x` is Index(p, Const(Attr("x"))), of whatever `p` is."""

    __slots__ = ()


class Property(Attr):
    """The name of an attribute that objects compute, and do not hold."""

    __slots__ = ()


class Settled(Attr):
    """The name of a field that carries no derivative, in any object (`derive.fields`)."""

    __slots__ = ()


@by_value
class Dict:
    """A dict display; with attributes for keys an object of them: of the class `made`, else a SimpleNamespace.

    open: it gets entries under keys that are not known. To all stages it is a list whose places are keys: see `KEY`.
    """

    keys: tuple[Expr, ...]
    values: tuple[Expr, ...]
    made: str = ""
    open: bool = False

    @property
    def is_object(self) -> bool:
        return bool(self.made) or any(isinstance(k, Const) and isinstance(k.value, Attr) for k in self.keys)


@by_value
class Comprehension:
    """[element for target in iterable if test ...]; only where it carries no derivative, or in generated text."""

    element: Expr
    clauses: Clauses
    kind: str = "list"  # list, set, generator; a dict's element is a Slice(key, value)


def keyed(keys: Expr, values: Expr) -> Comprehension:
    """{k: v for k, v in zip(keys, values)}: a dict under keys that are known when the function runs, each once."""
    k, v = apart("k", keys, values), apart("v", keys, values)
    return Comprehension(Slice(k, v), ((Sequence((k, v)), Op("builtins.zip", (keys, values)), ()),), "dict")


ROLES = ("_bar", "_dot", "_saved", "_inc")  # what the names of derived values end with


def numbered(wish: str, n: int) -> str:
    """A name with a number, which stands before what its end says of it: `x1_bar`."""
    role = next((r for r in ROLES if wish.endswith(r)), "")
    return f"{wish.removesuffix(role)}{n}{role}" if n else wish


def free_name(wish: str, taken: Collection[str]) -> str:
    """The first of `x`, `x1`, `x2`, ... that is not taken."""
    return next(name for n in itertools.count() if (name := numbered(wish, n)) not in taken)


def apart(name: str, *read: Expr) -> Var:
    """A variable for a comprehension that reads these expressions: another name than theirs."""
    taken = {n.name for e in read for n in walk(e) if isinstance(n, Var)}
    while name in taken:
        name += "_"
    return Var(name)


def keyed_parts(e: Expr) -> tuple[Expr, Expr] | None:
    """The keys and the values of such a dict."""
    match e:
        case Comprehension(kind="dict", clauses=((Sequence(), Op(fn="builtins.zip", args=(keys, values)), ()),)):
            return (keys, values) if e == keyed(keys, values) else None
    return None


@by_value
class Raw:
    """Text that is carried over as it stands (an f-string, a lambda without derivative) and the names that it reads."""

    text: str
    names: frozenset[str] = frozenset()
    atom: bool = False  # it needs no parentheses: an f-string


Expr = Var | Const | Op | Index | Slice | Attribute | Sequence | Dict | Comprehension | Raw
Clauses = tuple[tuple[Expr, Expr, tuple[Expr, ...]], ...]  # of a comprehension: (target, iterable, conditions)
Atom = Var | Const

NONE = Const(None)
ELLIPSIS = Const(Ellipsis)


@by_value
class Point:
    """What a function is called with that is handed to a solver: the value of `POINT` in its call, and of `STATE` and
    `COSTATE` in that of the right-hand side of a differential equation and of its derivatives."""

    position: int = 0


POINT, STATE, COSTATE = (Const(Point(i)) for i in range(3))
# Functions as arguments: Op(NAMED, (call,)) is the function that `call` calls; Op(LAMBDA, (call,), spelling="t") is
# `lambda t: call`, with `t` for POINT; "t, y" for POINT and STATE. Their names are read when
# the solver runs, which is at once.
NAMED, LAMBDA = "function.named", "function.lambda"


def is_entry(place: Expr) -> bool:
    """Whether a place is an entry of a dict that is open."""
    return isinstance(place, Index) and isinstance(place.key, Op) and place.key.fn == KEY


SOLUTION = "solution"  # an option of a solver of form PART: the variable that holds its whole result


# Of a dict that is open, d[k] is Index(d, Op(KEY, (k,))), one place whatever k is; Op(KEYS, (d,)) is `list(d)`, and
# Op(GET, (d, k)) is `d.get(k)`, Op(COUNT, (d,)) is `len(d)`: unlike that of an array it is another one behind a store.
KEY, KEYS, GET, COUNT = "operator.key", "operator.keys", "operator.get", "operator.count"


def at_point(e: Expr, *points: Expr) -> Expr:
    """The call of a function that is handed to a solver, at a point."""
    if isinstance(e, Const) and isinstance(e.value, Point) and e.value.position < len(points):
        return points[e.value.position]
    return rebuild(e, lambda c: at_point(c, *points))


NO_NAMES: frozenset[str] = frozenset()


def is_atom(e: Expr) -> bool:
    return isinstance(e, Var | Const)


# ---------------------------------------------------------------- statements


@by_identity
class Assign:
    """target = value. `constant` where the user's line ends with `# s2s: constant`.

    update: the user wrote `target += e` of a number, which no other name can see change: it is printed so again.
    """

    target: str
    value: Expr
    origin: Origin | None = None
    constant: bool = False
    update: bool = False


@by_identity
class Unpack:
    """a, b = value, for a value that is not written out: a call, an attribute (`n, d = X.shape`)."""

    targets: tuple[str, ...]
    value: Expr
    origin: Origin | None = None
    constant: bool = False
    starred: int = -1  # the position of a starred target


@by_identity
class Append:
    """array.append(value), for a list that the function has made."""

    array: str
    value: Expr
    origin: Origin | None = None


@by_identity
class Shrink(Append):
    """array.pop(), for a list that the function has made; `value` is the item that it loses, array[-1]."""


def pop(array: str, at: int = -1) -> Op:
    """`array.pop()`, or `array.pop(0)`, of written code."""
    args = (Var(array),) if at == -1 else (Var(array), Const(at))
    return Op("method.pop", args, form=Form.METHOD, spelling="pop")


OCCURRENCES = "method.count"
TOTAL = "_total"  # the spelling of a sum of what is a number most often, for which np.sum is slow: `helpers._total`


def counted(items: Expr, value: Expr) -> Op:
    """`items.count(value)`, of a list."""
    return Op(OCCURRENCES, (items, value), form=Form.METHOD, spelling="count")


def popped(array: str, origin: Origin | None = None) -> Inert:
    """The statement `array.pop()`."""
    return Inert("", (pop(array),), origin)


def resized(s: Stmt) -> list[str]:
    """The lists that a statement appends to or takes from: the item at -1 is another one then."""
    if isinstance(s, Append):
        return [s.array]
    pops = (n.args[0] for n in nodes(s) if isinstance(n, Op) and n.fn == "method.pop")
    return [n.name for n in pops if isinstance(n, Var)]


@by_identity
class Store:
    """target[key] = value.

    `update` is the operator of the user's `a[k] += e`; the value is then written out, `a[k] + e`. "back": an entry of a
    dict is again what it was, or none where the value is None. new: the key of a dict is not there yet, so that nothing
    is overwritten. sure: of `rows[k] = rows[k][:-1]`, the list has an item to lose. gone: `del d[k]`, seen through all
    names of the dict; the value is the entry itself, so that nothing else lies there for who asks for values only.
    """

    target: Index
    value: Expr
    origin: Origin | None = None
    update: str = ""
    constant: bool = False
    new: bool = False
    sure: bool = False
    gone: bool = False


@by_identity
class Augment:
    """target += value or target -= value: accumulation of an adjoint.

    full: the value is of floats and has the shape of the target: it may stand for its sum with zeros, as far as the
    memory goes that it shares; own: it shares none.
    """

    target: Var | Index
    sign: str  # "+" or "-"
    value: Expr
    origin: Origin | None = None
    full: bool = False
    own: bool = False


@by_identity
class If:
    test: Expr
    body: Block
    orelse: Block = ()
    origin: Origin | None = None


@by_identity
class For:
    """for target in iterable: body. The target is a name or a (nested) tuple of names."""

    target: Expr
    iterable: Expr
    body: Block
    origin: Origin | None = None


@by_identity
class While:
    test: Expr
    body: Block
    origin: Origin | None = None


@by_identity
class Break:
    origin: Origin | None = None


@by_identity
class Return:
    value: Expr
    origin: Origin | None = None


@by_identity
class Inert:
    """A statement that runs once, in the forward sweep: keyword is "", "assert", "raise", "pass", "import".

    "with" and "end with" enclose the statements between them, in the same block; the reverse sweep mirrors them.
    """

    keyword: str
    values: tuple[Expr, ...] = ()  # an expression; test and message; exception and cause
    origin: Origin | None = None
    left_out: bool = False  # an error in the place of a branch whose result may depend on anything
    caught: bool = False  # an error that is raised for a handler around it, which goes on


@by_identity
class Comment:
    """Comment lines of generated text: section titles, marks, the user's own comments; "" is a blank line."""

    lines: tuple[str, ...]
    origin: Origin | None = None


FORWARD, REVERSE = "# forward sweep", "# reverse sweep"  # titles
OWN = "@@"  # in text that is carried over, in front of a name of such a value
ITSELF = "@"  # the user's module, of which a value is read that its functions bind anew
MARK = "# adjoint of: "  # in front of the user's statement
NUMERIC = "# derivative by central differences"  # above a statement whose call has no rule

Stmt = Assign | Unpack | Append | Store | Augment | If | For | While | Break | Return | Inert | Comment
Block = tuple[Stmt, ...]


@by_value
class Param:
    name: str
    annotation: str = ""
    default: str = ""
    kind: str = "normal"  # positional, normal, keyword; star: `*args: X`, of annotation `tuple[X, ...]`;
    # double star: `**options: X`, of annotation `dict[str, X]`
    meant: str = ""  # the annotation with names of types written out: `np.ndarray[...]` for `Vector`

    @property
    def by_position(self) -> bool:
        return self.kind not in ("keyword", "double star")


Record = tuple[tuple[str, "Record"], ...]  # the fields of objects, those of each that is an object itself, else ()


@by_identity
class Function:
    name: str
    params: tuple[Param, ...]
    body: Block
    docstring: str = ""
    returns: str = ""  # the annotation
    origin: Origin | None = None
    comments: tuple[str, ...] = ()  # above the def
    fields: tuple[Param, ...] = ()  # annotated parts of parameters: `state.pos: float`
    classes: tuple[tuple[str, str, tuple[str, ...]], ...] = ()  # (parameter or part, what makes it or "", its fields)
    records: tuple[tuple[str, Record], ...] = ()  # parameters that are lists of objects which can't be changed
    numbers: tuple[str, ...] = ()  # variables that are annotated as numbers, and attributes that are updated, `.v`
    tops: tuple[str, ...] = ()  # where the items lie that lists lose, which stay as long as they were
    is_cached: bool = False  # calls with the same arguments return one object

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(p.name for p in self.params)


# ---------------------------------------------------------------- walking


def children(e: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside an expression, in the order of evaluation."""
    match e:
        case Op():
            return (*e.args, *(value for _, value in e.options)) if e.options else e.args
        case Index():
            return e.array, e.key
        case Slice():
            return tuple(part for part in (e.start, e.stop, e.step) if part is not None)
        case Attribute():
            return (e.value,)
        case Sequence():
            return e.items
        case Dict():
            return (*e.keys, *e.values)
        case Comprehension():
            return (*(part for target, iterable, tests in e.clauses for part in (target, iterable, *tests)), e.element)
    return ()


LEAVES = frozenset((Var, Const))  # half of all nodes


def walk(e: Expr) -> Iterator[Expr]:
    if type(e) in LEAVES:
        yield e
        return
    stack = [e]
    while stack:
        node = stack.pop()
        yield node
        if type(node) not in LEAVES:
            stack += children(node)[::-1]


def maybe_run(e: Expr) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    """The parts of an expression that are evaluated whenever it is, and those that need not be."""
    match e:
        case Op(fn="operator.ifexp" | "operator.and" | "operator.or", args=(first, *rest)):
            return (first,), tuple(rest)
        case Op(fn="operator.chain", args=(a, b, *rest)):
            return (a, b), tuple(rest)
        case Op(fn="function.named" | "function.lambda"):
            return (), children(e)
        case Comprehension(clauses=((_, first, _), *_)):
            return (first,), tuple(c for c in children(e) if c is not first)
    return children(e), ()


def surely_evaluated(e: Expr) -> Iterator[Expr]:
    """The expressions inside an expression that are evaluated, once, whenever it is."""
    yield e
    for part in maybe_run(e)[0]:
        yield from surely_evaluated(part)


def is_always_evaluated(e: Expr) -> bool:
    """Whether an expression evaluates each of its parts once."""
    return not isinstance(e, Comprehension | Raw) and not maybe_run(e)[1]


def expressions(s: Stmt) -> tuple[Expr, ...]:
    """The expressions that a statement itself evaluates: not those of the blocks inside it, nor bare targets."""
    match s:
        case Assign() | Unpack() | Append() | Return():
            return (s.value,)
        case Store() | Augment():
            return s.target, s.value
        case If() | While():
            return (s.test,)
        case For():
            return (s.iterable,)
        case Inert():
            return s.values
    return ()


def with_expressions(s: Stmt, f: Callable[[Expr], Expr]) -> Stmt:
    """The statement with `f` applied to each expression that it evaluates itself; the same one where none changes."""
    old = expressions(s)
    new = tuple(map(f, old))
    if all(a is b for a, b in zip(old, new, strict=True)):
        return s
    match s:
        case Assign() | Unpack() | Append() | Return():
            return replace(s, value=new[0])
        case Store():
            assert isinstance(new[0], Index)
            return replace(s, target=new[0], value=new[1])
        case Augment():
            assert isinstance(new[0], Var | Index)
            return replace(s, target=new[0], value=new[1])
        case If() | While():
            return replace(s, test=new[0])
        case For():
            return replace(s, iterable=new[0])
        case Inert():
            return replace(s, values=new)
    return s


def blocks(s: Stmt) -> tuple[Block, ...]:
    match s:
        case If():
            return (s.body, s.orelse)
        case For() | While():
            return (s.body,)
    return ()


@lru_cache(maxsize=4096)
def nodes(s: Stmt) -> tuple[Expr, ...]:
    """The expressions that a statement itself evaluates and all inside them, each before what it holds."""
    return tuple(n for e in expressions(s) for n in walk(e))


def is_use(e: Expr, name: str) -> bool:
    """Whether a node is a name, or text that is carried over and reads it."""
    return name in e.names if isinstance(e, Raw) else isinstance(e, Var) and e.name == name


def uses(statements: Iterable[Stmt]) -> Counter[str]:
    """How often each name stands in expressions of statements, themselves alone; in text that is carried over, too."""
    every = [e for s in statements for e in nodes(s)]
    found = Counter(e.name for e in every if isinstance(e, Var))
    found.update(n for e in every if isinstance(e, Raw) for n in e.names)
    return found


def displays(f: Function) -> frozenset[str]:
    """The parameters that may be left out and are a list, a tuple or a dict then: by default, or as they are bound."""
    bound = {s.target for s in statements(f.body) if isinstance(s, Assign) and is_display(s.value)}
    return frozenset(p.name for p in f.params if p.default and (p.default[0] in "[({" or p.name in bound))


def run_over(f: Function) -> frozenset[str]:
    """The names of what has a length or items, or loops run over: `if not kids` asks whether there is an item."""
    every = list(statements(f.body))
    found = [s.iterable for s in every if isinstance(s, For)]
    for e in (n for s in every for n in nodes(s)):
        if isinstance(e, Op) and e.fn == "builtins.len":
            found.append(e.args[0])
        elif isinstance(e, Index) and e.key not in (ELLIPSIS, Sequence(())):  # those an array of rank 0 has
            found.append(e.array)
    return frozenset(e.name for e in found if isinstance(e, Var))


def is_display(e: Expr) -> bool:
    """[a, b], (a, b), {"k": a}, [a] * n"""
    if isinstance(e, Op) and e.fn == "numpy.multiply":
        return any(isinstance(a, Sequence) for a in e.args)
    return isinstance(e, Sequence | Dict)


def renamed(f: Function, names: dict[str, str]) -> Function:
    """The function under another name, that calls others by other names."""

    def expr(e: Expr) -> Expr:
        e = rebuild(e, expr)
        if isinstance(e, Op) and e.fn.startswith("local.") and e.fn[6:] in names:
            return Op(f"local.{names[e.fn[6:]]}", e.args, e.options, span=e.span)
        return e

    return replace(f, name=names.get(f.name, f.name), body=mapped(f.body, expr)) if names else f


def mapped(body: Block, f: Callable[[Expr], Expr]) -> Block:
    """The block with `f` applied to each expression that its statements, and those inside of them, evaluate."""
    return tuple(with_expressions(with_blocks(s, lambda inner: mapped(inner, f)), f) for s in body)


def with_blocks(s: Stmt, f: Callable[[Block], Block]) -> Stmt:
    """The statement with `f` applied to each block inside it."""
    match s:
        case If():
            return replace(s, body=f(s.body), orelse=f(s.orelse))
        case For() | While():
            return replace(s, body=f(s.body))
    return s


def rename(e: Expr, names: dict[str, Var]) -> Expr:
    """`e` with variables renamed; the variables of a comprehension are its own."""
    match e:
        case Var():
            return names.get(e.name, e)
        case Raw():
            return with_names(e, {n: v.name for n, v in names.items()})
        case Comprehension():
            bound = {n for t, _, _ in e.clauses for n in target_names(t)}
            inner = {k: v for k, v in names.items() if k not in bound}
            return rebuild(e, lambda c: rename(c, inner))
    return rebuild(e, lambda c: rename(c, names))


def renamed_in(block: Block, names: dict[str, Var]) -> Block:
    """`block` with variables renamed, targets included."""

    def f(e: Expr) -> Expr:
        return rename(e, names)

    def n(name: str) -> str:
        return names[name].name if name in names else name

    out: list[Stmt] = []
    for s in block:
        match s:
            case Assign():
                new: Stmt = replace(s, target=n(s.target), value=f(s.value))
                if isinstance(new, Assign) and new.value == Var(new.target):
                    continue
            case Unpack():
                new = replace(s, targets=tuple(map(n, s.targets)), value=f(s.value))
            case Append():
                new = replace(s, array=n(s.array), value=f(s.value))
            case Store():
                target = f(s.target)
                assert isinstance(target, Index)
                new = replace(s, target=target, value=f(s.value))
            case Augment():
                target = f(s.target)
                assert isinstance(target, Var | Index)
                new = replace(s, target=target, value=f(s.value))
            case If():
                new = replace(s, test=f(s.test), body=renamed_in(s.body, names), orelse=renamed_in(s.orelse, names))
            case For():
                new = replace(s, target=f(s.target), iterable=f(s.iterable), body=renamed_in(s.body, names))
            case While():
                new = replace(s, test=f(s.test), body=renamed_in(s.body, names))
            case Return():
                new = replace(s, value=f(s.value))
            case Inert():
                new = replace(s, values=tuple(map(f, s.values)))
            case _:
                new = s
        out.append(new)
    return tuple(out)


def every_block(body: Block) -> list[Block]:
    """A body, and the blocks of the statements in it, and in these."""
    return [body, *(b for s in statements(body) for b in blocks(s))]


def statements(block: Iterable[Stmt]) -> Iterator[Stmt]:
    """All statements of a block, nested ones included, in the order of the text."""
    return iter(_statements(tuple(block)))


@lru_cache(maxsize=256)  # every analysis asks; a statement is its own key
def _statements(block: Block) -> tuple[Stmt, ...]:
    found: list[Stmt] = []
    stack = [iter(block)]
    while stack:
        for s in stack[-1]:
            found.append(s)
            inner = blocks(s)
            if inner:
                stack += map(iter, reversed(inner))
                break
        else:
            stack.pop()
    return tuple(found)


def base_names(name: str) -> tuple[str, ...]:
    """The names that reading `name` reads: itself and, for `params["W1"]`, the parameter."""
    root = root_name(name)
    return (name,) if root == name else (name, root)


PART = re.compile(r'\["([^"]*)"\]|\.([^\W\d]\w*)')


def root_name(name: str) -> str:
    """The parameter that `params["a"].b` is part of. A name that starts with "@" belongs to another module."""
    if name[:1] == "@" or ("[" not in name and "." not in name):
        return name
    return re.split(r"[.\[]", name, maxsplit=1)[0]


def is_adjoint(name: str) -> bool:
    """Whether a name is one that this program gives to adjoints."""
    return re.search(r"_bar(_dot)*(_\d*|\d+)?$", name) is not None


def is_part(name: str) -> bool:
    return root_name(name) != name


def keys_of(name: str) -> tuple[str, ...]:
    """The keys and attributes of a part of a parameter, from the outside in."""
    return tuple(Attr(m[2]) if m[2] else m[1] for m in PART.finditer(name, len(root_name(name))))


def part_name(name: str, key: str) -> str:
    return f"{name}.{key}" if isinstance(key, Attr) else f'{name}["{key}"]'


def reads(e: Expr) -> frozenset[str]:
    """Names that evaluating an expression reads; the variables of a comprehension are its own."""
    match e:
        case Var():
            return frozenset((e.name,))
        case Const():
            return NO_NAMES
        case Raw():
            return e.names
        case Op() | Index():
            return _memo(e)[0]
        case Comprehension():
            bound = {n for target, _, _ in e.clauses for n in target_names(target)}
            return NO_NAMES.union(*map(reads, children(e))) - bound | reads(e.clauses[0][1])  # read before any is bound
    return NO_NAMES.union(*map(reads, children(e)))


def calls_helpers(e: Expr) -> bool:
    """Whether an expression calls a function of the user's own."""
    match e:
        case Var() | Const() | Raw():
            return False
        case Op() | Index():
            return _memo(e)[1]
    return any(map(calls_helpers, children(e)))


def _memo(e: Op | Index) -> Memo:
    if e.memo is None:
        inner = children(e)
        calls = isinstance(e, Op) and e.fn.startswith("local.")
        found = NO_NAMES.union(*map(reads, inner)), calls or any(map(calls_helpers, inner))
        object.__setattr__(e, "memo", found)
        return found
    return e.memo


def helper_calls(*within: Expr) -> Iterator[Op]:
    """The calls of the user's own functions inside expressions."""
    for e in within:
        if calls_helpers(e):
            yield from (n for n in walk(e) if isinstance(n, Op) and n.fn.startswith("local."))


def target_names(target: Expr) -> list[str]:
    return [n.name for n in walk(target) if isinstance(n, Var)]


@lru_cache(256)
def words(text: str) -> frozenset[str]:
    """The names, keywords and numbers of a statement: one that is long has as many pieces that ask."""
    return frozenset(re.findall(r"\w+", text))


def is_unnamed(s: Assign) -> bool:
    """Whether a statement binds a variable that is no name of the user's."""
    return s.origin is None or s.target not in words(s.origin.text)


def binds(s: Stmt) -> tuple[str, ...]:
    """Names that a statement itself binds, not those bound in the blocks inside it."""
    match s:
        case Assign():
            return (s.target,)
        case Unpack():
            return s.targets
        case For():
            return tuple(target_names(s.target))
        case Augment(target=Var(name=name)):
            return (name,)
    return ()


def cut(e: Expr) -> tuple[str, int] | None:
    """The name of which an expression has all items but one, and which: -1 for `x[:-1]`, 0 for `x[1:]`."""
    match e:
        case Index(array=Var(name=name), key=Slice(None, Const(value=-1), None)):
            return name, -1
        case Index(array=Var(name=name), key=Slice(Const(value=1), None, None)):
            return name, 0
    return None


def longer(place: Index, item: Expr) -> Store:
    """`rows[k] = [*rows[k], item]`"""
    return Store(place, Sequence((place, item), "list", frozenset((0,))))


def shorter(place: Index) -> Store:
    """`rows[k] = rows[k][:-1]`, where the list has an item to lose."""
    return Store(place, Index(place, Slice(None, Const(-1))), sure=True)


def longer_slot(place: Expr, value: Expr) -> Expr | None:
    """The item by which the list in a slot gets longer, `rows[k] = [*rows[k], item]`; None for other stores."""
    match value:
        case Sequence(items=(old, item), kind="list", starred=starred) if starred == {0} and old == place:
            return item
    return None


def lost_item(place: Expr, value: Expr) -> Index | None:
    """The item at one end that a list loses, `rows[k] = rows[k][:-1]`, `L = L[1:]`; None for other values."""
    if value == Index(place, Slice(None, Const(-1))):
        return Index(place, Const(-1))
    return Index(place, Const(0)) if value == Index(place, Slice(Const(1), None)) else None


def shorter_slot(place: Expr, value: Expr) -> bool:
    """Whether the list in a slot loses its last item, `rows[k] = rows[k][:-1]`."""
    return lost_item(place, value) == Index(place, Const(-1))


def item_before(block: Block, i: int) -> Stmt | None:
    """The statement before `y = x[:-1]`, `block[i]`, that reads the item which y lacks: then x has items, and to take
    one is the same. None where that is not known: a slice of an empty list is an empty list."""
    s = block[i]
    found = cut(s.value) if isinstance(s, Assign) else None
    if found is None:
        return None
    name, at = found
    for before in block[:i][::-1]:
        if not isinstance(before, Assign | Unpack | Augment | Append | Store) or name in binds(before):
            return None
        if isinstance(before, Append) and before.array == name:
            return None
        if any(_reads_item(e, name, at) for e in expressions(before)):
            return before
        if isinstance(before, Store | Augment) and written_name(before.target) == name:
            return None
    return None


def handed_on(f: Function) -> dict[str, Op]:
    """The names that a call of a helper binds, and that are unpacked on the next lines and read nowhere else, each with
    the call: `r, t = parts(x)` and `a, b = t` bind what `r, (a, b) = parts(x)` would."""
    found: dict[str, Op] = {}

    def visit(block: Block) -> None:
        here: dict[str, Op] = {}
        for s in block:
            for inner in blocks(s):
                visit(inner)
            match s:
                case Unpack(targets=targets, value=Op(fn=fn) as call, starred=-1) if fn.startswith("local."):
                    here = dict.fromkeys(targets, call)
                case Unpack(targets=targets, value=Var(name=name), starred=-1) if name in here:
                    found[name] = call = here.pop(name)
                    here |= dict.fromkeys(targets, call)
                case _:
                    here = {}

    visit(f.body)
    if found:
        every = list(statements(f.body))
        bound = Counter(n for s in every for n in binds(s))
        read = uses(every)
        found = {n: call for n, call in found.items() if bound[n] == read[n] == 1 and n not in f.names}
    return found


def _reads_item(e: Expr, name: str, at: int) -> bool:
    """Whether an expression surely reads an item of a list."""
    match e:
        case Index(array=Var(name=of), key=Const(value=int() as key)) if of == name and key == at:
            return True
        case Comprehension() | Op(fn="operator.ifexp" | "operator.and" | "operator.or"):
            return False
        case Op(fn=fn) if fn in (LAMBDA, NAMED):
            return False
    return any(_reads_item(c, name, at) for c in children(e))


def key_items(key: Expr) -> tuple[Expr, ...]:
    """The parts of a subscript's key: of `x[i, :]`, i and a slice; of `x[[0, 2]]`, that list."""
    return key.items if isinstance(key, Sequence) and key.kind == "tuple" else (key,)


def as_key(value: Expr) -> Expr:
    """What a value is as a key: slice(1, None) in brackets is `1:`."""
    match value:
        case Op(fn="builtins.slice", args=[stop], options=()):
            return Slice(None, None if stop == NONE else stop)
        case Op(fn="builtins.slice", args=[_, _, *_] as args, options=()):
            return Slice(*(None if p == NONE else p for p in args))
    return value


def as_value(key: Expr) -> Expr:
    """A key as a value: `1:` outside of brackets is slice(1, None)."""
    match key:
        case Slice(start=None, stop=stop, step=None):
            return Op("builtins.slice", (stop or NONE,))
        case Slice(start=start, stop=stop, step=None):
            return Op("builtins.slice", (start or NONE, stop or NONE))
        case Slice(start=start, stop=stop, step=step):
            return Op("builtins.slice", tuple(p or NONE for p in (start, stop, step)))
        case Sequence(kind="tuple", items=items, starred=starred):
            return Sequence(tuple(map(as_value, items)), "tuple", starred)
    return key


def is_update(e: Expr) -> bool:
    """Whether a value is that of `x += e`, which the front end writes as `x = x + e`."""
    return isinstance(e, Op) and e.form is Form.OPERATOR and e.spelling[-1:] == "=" and not e.fn.startswith("operator.")


def written_name(target: Expr) -> str:
    """The name under the subscripts (and views) of what a store writes."""
    while not isinstance(target, Var):
        assert isinstance(target, Index | Op)
        target = target.array if isinstance(target, Index) else target.args[0]
    return target.name


def rebuild(e: Expr, f: Callable[[Expr], Expr]) -> Expr:
    """The same node with `f` applied to each expression directly inside; the very node where none changes."""
    match e:
        case Var() | Const() | Raw():
            return e
        case Op():
            args = tuple(map(f, e.args))
            options = tuple((k, f(v)) for k, v in e.options) if e.options else ()
            if all(map(is_, args, e.args)) and options == e.options:
                return e
            return Op(e.fn, args, options, e.form, e.spelling, e.span)
        case Index():
            array, key = f(e.array), f(e.key)
            return e if array is e.array and key is e.key else Index(array, key, e.span)
        case Slice():
            return Slice(*(None if p is None else f(p) for p in (e.start, e.stop, e.step)))
        case Attribute():
            value = f(e.value)
            return e if value is e.value else Attribute(value, e.name, e.span)
        case Sequence():
            items = tuple(map(f, e.items))
            return e if all(map(is_, items, e.items)) else Sequence(items, e.kind, e.starred)
        case Dict():
            return Dict(tuple(map(f, e.keys)), tuple(map(f, e.values)), e.made, e.open)
        case Comprehension():
            clauses = tuple((f(t), f(i), tuple(map(f, cs))) for t, i, cs in e.clauses)
            return Comprehension(f(e.element), clauses, e.kind)
    return e


def substitute(e: Expr, values: dict[str, Expr]) -> Expr:
    """`e` with names replaced by expressions."""
    if isinstance(e, Var):
        return values.get(e.name, e)
    return rebuild(e, lambda c: substitute(c, values))


def with_names(e: Raw, names: Mapping[str, str]) -> Raw:
    """Text that is carried over, with other names for variables that it reads.

    What its strings say stays as it is, `f"n{n}"`, and so do attributes and keywords. Other names may be marked,
    `@layers.LIMIT`.
    """
    names = {n: new for n, new in names.items() if n in e.names}
    if not names:
        return e
    words = re.compile(r"(?<![\w.@])(?:" + "|".join(map(re.escape, names)) + r")\b")
    marked = {f"marked_{i}_": m for i, m in enumerate(dict.fromkeys(re.findall(r"@+\.*[A-Za-z_][.\w]*", e.text)))}
    plain = e.text
    for own, mark in sorted(marked.items(), key=lambda m: -len(m[1])):
        plain = plain.replace(mark, own)
    tree = ast.parse(plain)
    count = 0
    in_strings = False
    for n in ast.walk(tree):
        match n:
            case ast.Name(id=name) if name in names:
                n.id, count = names[name], count + 1
            case ast.arg(arg=name) if name in names:
                n.arg, count = names[name], count + 1
            case ast.Constant(value=str() as said):
                in_strings |= words.search(said) is not None
    if in_strings or len(words.findall(plain)) != count:
        text = ast.unparse(tree)
        for own, mark in marked.items():
            text = text.replace(own, mark)
    else:  # as the user has written it
        text = words.sub(lambda m: names[m[0]], e.text)
    return replace(e, text=text, names=frozenset(names.get(n, n) for n in e.names))


# ---------------------------------------------------------------- printing

OPERATORS = {  # fn: (symbol, precedence)
    "numpy.add": ("+", 10),
    "numpy.subtract": ("-", 10),
    "numpy.multiply": ("*", 11),
    "numpy.divide": ("/", 11),
    "numpy.floor_divide": ("//", 11),
    "numpy.remainder": ("%", 11),
    "numpy.matmul": ("@", 11),
    "numpy.power": ("**", 13),
    "numpy.left_shift": ("<<", 9),
    "numpy.right_shift": (">>", 9),
    "numpy.bitwise_and": ("&", 8),
    "numpy.bitwise_xor": ("^", 7),
    "numpy.bitwise_or": ("|", 6),
    "numpy.less": ("<", 5),
    "numpy.less_equal": ("<=", 5),
    "numpy.greater": (">", 5),
    "numpy.greater_equal": (">=", 5),
    "numpy.equal": ("==", 5),
    "numpy.not_equal": ("!=", 5),
    "operator.in": ("in", 5),
    "operator.not_in": ("not in", 5),
    "operator.is": ("is", 5),
    "operator.is_not": ("is not", 5),
}
UNARY = {
    "numpy.negative": ("-", 12),
    "numpy.positive": ("+", 12),
    "numpy.invert": ("~", 12),
    "operator.not": ("not ", 4),
}
ATOM = 20


class Printer:
    """Expressions as Python text. `modules` maps a module's name to what the output calls it ("numpy" -> "np")."""

    def __init__(self, modules: dict[str, str] | None = None) -> None:
        self.modules = {"numpy": "np", "math": "math"} | (modules or {})

    def __call__(self, e: Expr) -> str:
        return self.expr(e)[0]

    def at(self, e: Expr, precedence: int) -> str:
        text, own = self.expr(e)
        return text if own >= precedence else f"({text})"

    def callee(self, fn: str) -> str:
        """What a generated call of `fn` is written as: the longest imported module, then the rest of the path."""
        module, _, rest = fn.partition(".")
        if module in ("local", "builtins", "helper"):
            return rest
        if module in ("operator", "method"):
            return fn
        parts = fn.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            name = self.modules.get(".".join(parts[:cut]))
            if name is not None:
                return ".".join([name, *parts[cut:]])
        return fn

    def expr(self, e: Expr) -> tuple[str, int]:
        match e:
            case Var():
                return e.name, ATOM
            case Const():
                return self.const(e)
            case Raw():
                return e.text, ATOM if e.atom else 0
            case Op():
                return self.op(e)
            case Index(key=Const(value=Attr() as name)):
                return f"{self.dotted(e.array)}.{name}", ATOM
            case Index():
                return f"{self.at(e.array, ATOM)}[{self.key(e.key)}]", ATOM
            case Slice():
                return self.key(e), 0
            case Attribute():
                return f"{self.dotted(e.value)}.{e.name}", ATOM
            case Sequence():
                return self.sequence(e), ATOM
            case Dict() if e.is_object:
                options = ((str(k.value), v) for k, v in zip(e.keys, e.values, strict=True) if isinstance(k, Const))
                return f"{self.maker(e.made)}({self.arguments((), options)})", ATOM
            case Dict():
                items = (f"{self(k)}: {self(v)}" for k, v in zip(e.keys, e.values, strict=True))
                return "{" + ", ".join(items) + "}", ATOM
            case Comprehension():
                return self.comprehension(e), ATOM
        raise TypeError(f"not an expression: {e!r}")

    def maker(self, made: str) -> str:
        """What makes an object of its attributes."""
        return made or "SimpleNamespace"

    def const(self, e: Const) -> tuple[str, int]:
        text = e.text or ("..." if e.value is Ellipsis else repr(e.value))
        if text in ("inf", "nan"):
            return f"{self.modules['numpy']}.{text}", ATOM
        if text in ("-inf",):
            return f"-{self.modules['numpy']}.inf", 12
        if isinstance(e.value, bool | int | float | complex) and text.startswith("-"):
            return text, 12
        return text, ATOM

    def dotted(self, e: Expr) -> str:
        text = self.at(e, ATOM)
        return f"({text})" if isinstance(e, Const) and isinstance(e.value, int) else text

    def key(self, e: Expr) -> str:
        match e:
            case Slice():
                text = (self.at(e.start, 1) if e.start else "") + ":" + (self.at(e.stop, 1) if e.stop else "")
                return text + (":" + self.at(e.step, 1) if e.step else "")
            case Sequence(kind="tuple") if e.items and not e.starred:
                return ", ".join(self.key(i) for i in e.items) + ("," if len(e.items) == 1 else "")
            case Op(fn=fn, args=(inner,)) if fn == KEY:
                return self.key(inner)
        return self(e)

    def sequence(self, e: Sequence) -> str:
        if e.kind == "tuple" and e.starred == {0} and len(e.items) == 1:
            return f"tuple({self(e.items[0])})"
        inner = ", ".join(("*" if i in e.starred else "") + self.at(x, 1) for i, x in enumerate(e.items))
        if e.kind == "list":
            return f"[{inner}]"
        if e.kind == "set":
            return f"{{{inner}}}" if e.items else "set()"
        return f"({inner},)" if len(e.items) == 1 else f"({inner})"

    def comprehension(self, e: Comprehension) -> str:
        match e.element:
            case Slice(start=key, stop=value) if key is not None and value is not None:
                text = f"{self(key)}: {self(value)}"
            case element:
                text = self(element)
        for target, iterable, tests in e.clauses:
            text += f" for {self.bare(target)} in {self.at(iterable, 2)}"
            text += "".join(f" if {self.at(t, 2)}" for t in tests)
        left, right = {"list": ("[", "]"), "set": ("{", "}"), "dict": ("{", "}"), "generator": ("(", ")")}[e.kind]
        return f"{left}{text}{right}"

    def bare(self, e: Expr) -> str:
        """A tuple without its parentheses, as the target of a loop or the value of a return."""
        text = self(e)
        if isinstance(e, Sequence) and e.kind == "tuple" and len(e.items) > 1:
            return text[1:-1]
        return text

    def arguments(self, args: Iterable[Expr], options: Iterable[tuple[str, Expr]]) -> str:
        given = list(args)
        parts = [self.at(a, 1) for a in given]
        parts += [f"{k}={self.at(v, 1)}" for k, v in options]
        match given:
            case [Comprehension(kind="generator")] if len(parts) == 1:
                return parts[0][1:-1]
        return ", ".join(parts)

    def op(self, e: Op) -> tuple[str, int]:
        fn, args = e.fn, e.args
        if fn == KEY:
            return self.expr(args[0])
        if fn in ("operator.and", "operator.or"):
            word, p = ("and", 3) if fn == "operator.and" else ("or", 2)
            return f" {word} ".join(self.at(a, p + (i > 0)) for i, a in enumerate(args)), p
        if fn == "operator.ifexp":
            test, a, b = args
            return f"{self.at(a, 2)} if {self.at(test, 2)} else {self.at(b, 1)}", 1
        if fn == NAMED:
            assert isinstance(args[0], Op)
            return self.callee(args[0].fn), ATOM
        if fn == LAMBDA:
            taken = {*reads(args[0]), *(self.callee(n.fn) for n in walk(args[0]) if isinstance(n, Op))}
            names: list[str] = []
            for name in e.spelling.split(", "):
                while name in taken or name in names:
                    name += "_"
                names.append(name)
            return f"lambda {', '.join(names)}: {self(at_point(args[0], *map(Var, names)))}", 1
        if fn == "operator.chain":  # spelling: the comparison symbols, separated by commas
            text = self.at(args[0], 6)
            for symbol, a in zip(e.spelling.split(","), args[1:], strict=True):
                text += f" {symbol} {self.at(a, 6)}"
            return text, 5
        if e.form is Form.OPERATOR or fn.startswith("operator."):
            if fn in UNARY and len(args) == 1:
                symbol, p = UNARY[fn]
                return symbol + self.at(args[0], p), p
            if fn in OPERATORS and len(args) == 2:
                symbol, p = OPERATORS[fn]
                if fn == "numpy.power":
                    return f"{self.at(args[0], p + 1)} ** {self.at(args[1], 12)}", p
                left = 6 if p == 5 else p
                return f"{self.at(args[0], left)} {symbol} {self.at(args[1], p + 1)}", p
        if e.form is Form.METHOD:
            name = e.spelling or fn.rpartition(".")[2]
            if name == "__call__":
                return f"{self.dotted(args[0])}({self.arguments(args[1:], e.options)})", ATOM
            return f"{self.dotted(args[0])}.{name}({self.arguments(args[1:], e.options)})", ATOM
        if e.form is Form.PART:
            callee, _, part = e.spelling.rpartition(".")
            options = dict(e.options)
            held = options.pop(SOLUTION, None)
            whole = self(held) if held is not None else f"{callee}({self.arguments(args, options.items())})"
            return f"{whole}.{part}", ATOM
        if e.form is Form.SUBSCRIPT:
            return f"{e.spelling or self.callee(fn)}[{self.key(args[0])}]", ATOM
        if e.form is Form.ATTRIBUTE:
            return f"{self.dotted(args[0])}.{e.spelling or fn.rpartition('.')[2]}", ATOM
        return f"{e.spelling or self.callee(fn)}({self.arguments(args, e.options)})", ATOM


def print_block(block: Iterable[Stmt], show: Printer | None = None, indent: int = 0) -> list[str]:
    """Lines of Python for a block: plain text, to be formatted by black later."""
    show = show or Printer()
    pad = "    " * indent
    out: list[str] = []
    for s in block:
        match s:
            case Inert(keyword="with"):
                out.append(f"{pad}with {show(s.values[0])}:")
                indent += 1
                pad = "    " * indent
            case Inert(keyword="end with"):
                indent -= 1
                pad = "    " * indent
            case Comment():
                out += [(pad + line).rstrip() for line in s.lines]
            case Assign(value=Op(fn=fn, args=(Var(name=name), e), form=Form.OPERATOR)) if s.update and name == s.target:
                out.append(f"{pad}{name} {OPERATORS[fn][0]}= {show(e)}")
            case Assign():
                out.append(f"{pad}{s.target} = {show.bare(s.value)}")
            case Unpack():
                names = [("*" if i == s.starred else "") + t for i, t in enumerate(s.targets)]
                left = ", ".join(names) + ("," if len(names) == 1 else "")
                out.append(f"{pad}{left} = {show.bare(s.value)}")
            case Shrink():
                out.append(f"{pad}{s.array}.pop()")
            case Append():
                out.append(f"{pad}{s.array}.append({show(s.value)})")
            case Store():
                out.append(pad + _print_store(s, show))
            case Augment():
                out.append(f"{pad}{show(s.target)} {s.sign}= {show(s.value)}")
            case If():
                out += _print_if(s, show, indent, "if")
            case For():
                out.append(f"{pad}for {show.bare(s.target)} in {show(s.iterable)}:")
                out += print_block(s.body, show, indent + 1) or [pad + "    pass"]
            case While():
                out.append(f"{pad}while {show(s.test)}:")
                out += print_block(s.body, show, indent + 1) or [pad + "    pass"]
            case Break():
                out.append(pad + "break")
            case Return():
                out.append(f"{pad}return {show.bare(s.value)}")
            case Inert():
                out.append(pad + _print_inert(s, show))
    return out


def _print_if(s: If, show: Printer, indent: int, word: str) -> list[str]:
    pad = "    " * indent
    out = [f"{pad}{word} {show(s.test)}:"]
    out += print_block(s.body, show, indent + 1)
    if all(line.lstrip().startswith("#") for line in out[1:]):
        out.append(pad + "    pass")
    if len(s.orelse) == 1 and isinstance(s.orelse[0], If):
        return out + _print_if(s.orelse[0], show, indent, "elif")
    if s.orelse:
        inner = print_block(s.orelse, show, indent + 1)
        if all(line.lstrip().startswith("#") or not line for line in inner):
            inner.append(pad + "    pass")
        out += [pad + "else:", *inner]
    return out


def dotted(e: Expr) -> str:
    """ "physics.units.G" for names and dots; "" for anything else."""
    match e:
        case Var(name=name):
            return name
        case Attribute(value=value, name=name):
            before = dotted(value)
            return f"{before}.{name}" if before else ""
    return ""


def is_of_module(e: Expr) -> bool:
    """Whether an expression is a number of `math` or NumPy, np.pi: `cell.e` of an object may be anything."""
    match e:
        case Attribute(value=Var(name=module), name=name):
            return module in ("np", "numpy", "math") and name in ("pi", "e", "inf", "nan", "tau", "euler_gamma")
    return False


def is_largest_size(e: Expr) -> bool:
    """Whether an expression is `sys.maxsize`, the whole number with which searches for a least value begin."""
    return e == Attribute(Var("sys"), "maxsize")


def diagonal(array: Expr) -> Expr:
    """The key that names the items on the diagonal of a matrix."""
    every = Op("numpy.arange", (Op("builtins.min", (Attribute(array, "shape"),), spelling="min"),))
    return Sequence((every, every))


def is_diagonal(key: Expr) -> bool:
    """Whether a key is that of `diagonal`, of an array or of its adjoint, and not the user's own."""
    match key:
        case Sequence(items=(Op(args=(Op(args=(Attribute(value=array),)),)) as every, _)):
            return key == diagonal(array) and every.span is None
    return False


def _print_store(s: Store, show: Printer) -> str:
    if s.gone:
        return f"del {show(s.target)}"
    if s.update == "at":
        assert isinstance(s.value, Op)
        text = show(as_value(s.target.key))
        return f"{show.callee(s.value.fn)}.at({show(s.target.array)}, {text}, {show(s.value.args[1])})"
    if s.update == "back":
        key = s.target.key.args[0] if isinstance(s.target.key, Op) else s.target.key
        if s.value == NONE:
            return f"del {show(s.target)}"
        return f"{show.callee('helper._put_back')}({show(s.target.array)}, {show(key)}, {show(s.value)})"
    whole = s.target.key == ELLIPSIS and isinstance(s.target.array, Var | Index)
    read: Expr = s.target.array if whole and s.update else s.target
    match s.value:
        case Op(args=(first, rest)) if s.update and first in (read, s.target):
            return f"{show(read)} {s.update}= {show(rest)}"
        case Const() if is_diagonal(s.target.key):
            return f"{show.callee('numpy.fill_diagonal')}({show(s.target.array)}, {show(s.value)})"
    return f"{show(s.target)} = {show.bare(s.value)}"


def _print_inert(s: Inert, show: Printer) -> str:
    if s.keyword == "raise":
        words = ["raise", *(show(v) for v in s.values[:1])]
        return " ".join(words + [f"from {show(v)}" for v in s.values[1:]])
    if s.keyword == "assert":
        return "assert " + ", ".join(show.at(v, 1) for v in s.values)
    if s.keyword in ("pass", "return", "import"):
        return " ".join([s.keyword] * (s.keyword != "import") + [show(v) for v in s.values])
    return show(s.values[0])


def print_function(f: Function, show: Printer | None = None) -> str:
    parts: list[str] = []
    seen_keyword = False
    for i, p in enumerate(f.params):
        if p.kind == "keyword" and not seen_keyword:
            parts.append("*")
            seen_keyword = True
        text = p.name + (f": {p.annotation}" if p.annotation else "")
        if p.kind == "star":
            seen_keyword = True
            item = p.annotation.removeprefix("tuple[").removesuffix(", ...]")
            text = f"*{p.name}" + (f": {item}" if item != "tuple" else "")
        if p.kind == "double star":
            item = p.annotation.removeprefix("dict[str, ").removesuffix("]")
            text = f"**{p.name}" + (f": {item}" if item != "dict" else "")
        if p.default:
            text += f" = {p.default}" if p.annotation else f"={p.default}"
        parts.append(text)
        if p.kind == "positional" and (i + 1 == len(f.params) or f.params[i + 1].kind != "positional"):
            parts.append("/")
    head = f"def {f.name}({', '.join(parts)})" + (f" -> {f.returns}" if f.returns else "") + ":"
    body = print_block(f.body, show, 1)
    return "\n".join([*f.comments, head, *body])
