"""Names inside one function: what it binds and reads."""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


# the fields of each kind of node that may hold nodes with names or values in them
FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(f for f in kind._fields if f not in ("ctx", "op", "ops", "attr", "kind", "type_comment", "simple"))
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
} | {ast.Name: (), ast.Constant: ()}
# those that belong to the scope of the function around, from the last
INSIDE = {kind: fields[::-1] for kind, fields in FIELDS.items()} | dict.fromkeys(SCOPES, ())
INSIDE[ast.comprehension] = ("ifs", "iter")


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly inside a node, in the order of the text, but for contexts and operators, which hold nothing.

    `ast.iter_child_nodes` in less time: every function is walked again and again.
    """
    found: list[ast.AST] = []
    fields = node.__dict__
    for name in FIELDS[type(node)]:
        value = fields.get(name)
        if type(value) is list:
            found += [v for v in value if isinstance(v, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all inside it, each before what it holds: `ast.walk` without contexts and operators."""
    todo = [node]
    for n in todo:
        yield n
        if FIELDS[type(n)]:
            todo += children(n)


def blocks_of(s: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of a statement of one function; those of functions and classes inside it are theirs."""
    for field in ("body", "orelse", "finalbody"):
        if isinstance(getattr(s, field, None), list) and not isinstance(s, ast.FunctionDef | ast.ClassDef):
            yield getattr(s, field)
    for part in (*getattr(s, "handlers", ()), *getattr(s, "cases", ())):
        yield part.body


def every_block(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """A block of one function, and those inside it."""
    yield body
    for s in body:
        for block in blocks_of(s):
            yield from every_block(block)


def rewritten(body: list[ast.stmt], statement: Callable[[ast.stmt], Iterable[ast.stmt]]) -> list[ast.stmt]:
    """A block with what is written for each of its statements, those inside of others first."""
    out: list[ast.stmt] = []
    for s in body:
        for inner in blocks_of(s):
            inner[:] = rewritten(inner, statement)
        out += statement(s)
    return out


def names_used(function: ast.FunctionDef) -> set[str]:
    """The names that stand in a function, those of its parameters included."""
    found = {n.id for s in function.body for n in ast.walk(s) if isinstance(n, ast.Name)}
    return found | {p.arg for p in parameters(function)}


def is_bound(n: ast.Name) -> bool:
    """Whether a name is bound or deleted here, not read."""
    return not isinstance(n.ctx, ast.Load)


def mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node))


# functions that have read all items of what they are given when they return, and those that read them later
AT_ONCE = frozenset(["len", "sum", "min", "max", "any", "all", "list", "tuple", "sorted", "set", "frozenset", "dict"])
LATER = frozenset(["enumerate", "zip", "reversed"])


def read_at_once(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> ast.For | bool:
    """Whether the items of an expression are read where it stands: True, or the loop that reads them.

    False where something may read them later: `zip(u, v)` and `d.values()` have names, or are given to others.
    """
    up = parents.get(node)
    match up:
        case ast.For(iter=it) if it is node:
            return up
        case ast.Call(func=ast.Name(id=name)) if up.func is not node and name in AT_ONCE:
            return True
        case ast.Call(func=ast.Name(id=name)) if up.func is not node and name in LATER:
            return read_at_once(up, parents)
        case ast.Starred():
            return True
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[items]):
            return items is node
        case ast.comprehension(iter=it) if it is node:
            whole = parents.get(up)
            return read_at_once(whole, parents) if isinstance(whole, ast.GeneratorExp) else True
    return False


def body_nodes(function: FunctionNode) -> list[ast.AST]:
    """The nodes of a function's own scope, in the order of the text: not the inside of nested functions, nor the
    targets of comprehensions.
    """
    found: list[ast.AST] = []
    stack: list[ast.AST] = function.body[::-1]  # type: ignore[assignment]
    while stack:
        n = stack.pop()
        found.append(n)
        fields = n.__dict__
        for name in INSIDE[type(n)]:  # as `children` has it, from the end: a call less for each node
            value = fields.get(name)
            if type(value) is list:
                stack += [v for v in reversed(value) if isinstance(v, ast.AST)]
            elif isinstance(value, ast.AST):
                stack.append(value)
    return found


BINDING = frozenset(
    (
        *(ast.Name, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
        *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar),
    )
)


def bound_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that a function's body binds, imports not counted; `nodes` are its `body_nodes`."""
    found: set[str] = set()
    for n in nodes:
        if type(n) not in BINDING:
            continue
        match n:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.ExceptHandler(name=str() as name):
                found.add(name)
            case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                found.add(name)
    return found


def parameters(function: FunctionNode | ast.Lambda) -> list[ast.arg]:
    a = function.args
    extra = [x for x in (a.vararg, a.kwarg) if x is not None]
    return [*a.posonlyargs, *a.args, *a.kwonlyargs, *extra]


def keyword_of(p: ast.arg) -> str:
    """The name under which calls give a parameter: the user's, whatever a rewrite has called it."""
    return getattr(p, "keyword", p.arg)


def free_names(node: ast.AST) -> list[str]:
    """Names that a function reads (or binds as nonlocal), or an expression, and that are not its own, in the order of
    the text."""
    found: dict[str, None] = {}

    def visit(n: ast.AST, bound: frozenset[str]) -> None:
        match n:
            case ast.Name(id=name):
                if name not in bound:
                    found.setdefault(name)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                inside(n, bound)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                own = bound
                for g in n.generators:
                    visit(g.iter, own)
                    own = own | read_names(g.target)
                    for t in g.ifs:
                        visit(t, own)
                for part in [n.key, n.value] if isinstance(n, ast.DictComp) else [n.elt]:
                    visit(part, own)
            case ast.Nonlocal(names=names):
                for name in names:
                    if name not in bound:
                        found.setdefault(name)
            case _:
                for c in children(n):
                    visit(c, bound)

    def inside(n: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, bound: frozenset[str]) -> None:
        if n is not node:
            for d in [*n.args.defaults, *(d for d in n.args.kw_defaults if d is not None)]:
                visit(d, bound)
        own = {a.arg for a in parameters(n)}
        body: Iterable[ast.AST] = [n.body] if isinstance(n, ast.Lambda) else n.body
        if not isinstance(n, ast.Lambda):
            nodes = body_nodes(n)
            outer = {x for m in nodes if isinstance(m, ast.Nonlocal | ast.Global) for x in m.names}
            own |= bound_names(nodes) - outer
        for s in body:
            visit(s, bound | own)

    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        inside(node, frozenset())
    else:
        visit(node, frozenset())
    return list(found)


def dotted(node: ast.expr) -> list[str] | None:
    """["np", "linalg", "solve"] for `np.linalg.solve`; None for anything else than names and dots."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return [node.id, *parts][:1] + parts[::-1]


def full_path(node: ast.expr, imports: Mapping[str, str]) -> str:
    """The dotted path of what a module has, by the module's own name: "numpy.linalg.solve" for `np.linalg.solve`.

    A name that no import binds stands for itself; "" for anything else than names and dots.
    """
    root, *rest = dotted(node) or [""]
    return ".".join([imports.get(root, root), *rest])


def read_names(node: ast.AST) -> set[str]:
    """All names that occur in an expression, whatever they are bound to."""
    return {n.id for n in walk(node) if isinstance(n, ast.Name)}


def is_read_outside(node: ast.AST, name: str) -> bool:
    """Whether a name is read elsewhere than in loops and comprehensions that bind it to their items, and lambdas that
    have it for a parameter."""
    match node:
        case ast.Name(id=found, ctx=ast.Load()):
            return found == name
        case ast.For(target=target, iter=it, orelse=orelse, body=body) if name in read_names(target):
            again = any(isinstance(n, ast.For) and name in read_names(n.target) for s in body for n in walk(s))
            return any(is_read_outside(n, name) for n in (it, *orelse, *(body if again else ())))
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            if any(name in read_names(g.target) for g in node.generators):
                return is_read_outside(node.generators[0].iter, name)
        case ast.Lambda(args=args) if any(isinstance(n, ast.arg) and n.arg == name for n in walk(args)):
            return is_read_outside(args, name)
    return any(is_read_outside(n, name) for n in ast.iter_child_nodes(node))


def raw_reads(node: ast.AST) -> set[str]:
    """Names that the text of a node reads from outside: not its own comprehension variables and lambda parameters."""
    reads: set[str] = set()
    bound: set[str] = set()
    for n in walk(node):
        match n:
            case ast.Name(id=name, ctx=ast.Load()):
                reads.add(name)
            case ast.comprehension(target=target):
                bound |= read_names(target)
            case ast.Lambda(args=args):
                bound |= {a.arg for a in [*args.posonlyargs, *args.args, *args.kwonlyargs]}
    return reads - bound


# the headers of the outermost functions of a text; of those on one line and without texts and comments, the first group
HEADERS = re.compile(r"""^(?:async )?def (\w+\([^'"#()\n]*\)(?: -> [^'"#\n:]+)?:\n)?""", re.MULTILINE)


@lru_cache(maxsize=256)
def global_reads(text: str) -> frozenset[str]:
    """Names that a text of statements reads and that its functions do not bind: those of modules and builtins.

    Quoted annotations are read as what they quote. Raises SyntaxError.
    """
    found: set[str] = set()
    tables = [symtable.symtable(text, "<text>", "exec")]
    while tables:
        table = tables.pop()
        outermost = table.get_type() == "module"
        found |= {s.get_name() for s in table.get_symbols() if s.is_referenced() and (outermost or s.is_global())}
        tables += table.get_children()
    if not all(m[1] for m in HEADERS.finditer(text)):
        for quoted in quoted_annotations(ast.parse(text)):
            try:
                found |= read_names(ast.parse(quoted, mode="eval"))
            except SyntaxError:
                continue
    return frozenset(found)


def is_number(e: ast.expr) -> bool:
    """A number that is written out, with its sign."""
    inner = e.operand if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub) else e
    return isinstance(inner, ast.Constant) and isinstance(inner.value, int | float)


def quoted_annotations(tree: ast.Module) -> list[str]:
    """The texts in the annotations of the outermost functions: those of variables inside are never evaluated."""
    found: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            notes = [n for n in (*(a.annotation for a in parameters(node)), node.returns) if n is not None]
            inner = (x for n in notes for x in walk(n))
            found += [x.value for x in inner if isinstance(x, ast.Constant) and isinstance(x.value, str)]
    return found


def string_key(node: ast.expr) -> str | None:
    """The key of `d["key"]`, for a plain text key."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str() as key)) if key.isprintable() and not set(key) & set(
            "\"'\\[]"
        ):
            return key
    return None


def key_parts(key: ast.expr) -> list[ast.expr]:
    """The keys of `a[i, j]` and of `a[i]`."""
    return key.elts if isinstance(key, ast.Tuple) else [key]


def new_name(taken: set[str], wish: str) -> str:
    """A name that is not taken, which it is from here on."""
    found, k = wish, 1
    while found in taken:
        k += 1
        found = f"{wish}_{k}"
    taken.add(found)
    return found


def own_walk(s: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a statement, without those inside nested functions."""
    yield s
    if isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
        return
    for n in children(s):
        yield from own_walk(n)


def nonlocals(node: ast.AST) -> list[str]:
    """Names of the functions around that a function binds, or functions inside it."""
    found: list[str] = []
    own = {a.arg for a in parameters(node)} if isinstance(node, ast.FunctionDef | ast.Lambda) else set()
    if isinstance(node, ast.FunctionDef):
        nodes = body_nodes(node)
        found += [x for n in nodes if isinstance(n, ast.Nonlocal) for x in n.names]
        own |= bound_names(nodes) - set(found)
    inner = [n for s in children(node) for n in own_walk(s) if isinstance(n, ast.FunctionDef | ast.Lambda)]
    for n in inner:
        found += [x for x in nonlocals(n) if x not in own and x not in found]
    return found


def binds(scope: ast.AST) -> set[str]:
    """The names that a comprehension, or a function inside, has for itself."""
    match scope:
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            return {name for g in scope.generators for name in read_names(g.target)}
        case ast.Lambda():
            return {p.arg for p in parameters(scope)}
        case ast.FunctionDef():
            bound = {p.arg for p in parameters(scope)} | bound_names(body_nodes(scope))
            return bound - {*nonlocals(scope)} - {n for g in walk(scope) if isinstance(g, ast.Global) for n in g.names}
    return set()


def outside(scope: ast.AST) -> list[ast.AST]:
    """What of a comprehension, or of a function inside, is evaluated in the scope around."""
    match scope:
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            return [scope.generators[0].iter]
        case ast.Lambda(args=args):
            return [*args.defaults, *(d for d in args.kw_defaults if d is not None)]
        case ast.FunctionDef(args=args, decorator_list=decorators, returns=returns):
            notes = [*(p.annotation for p in parameters(scope)), returns]
            return [*args.defaults, *(d for d in (*args.kw_defaults, *notes) if d is not None), *decorators]
    return []


def rename(scope: ast.AST, old: str, new: str) -> None:
    """Another name for a variable of a scope, where it is seen."""
    skipped = outside(scope)
    todo = [scope]
    while todo:
        n = todo.pop()
        if any(n is e for e in skipped):
            continue
        match n:
            case ast.Name() if n.id == old:
                n.id = new
            case ast.arg() if n.arg == old:
                n.arg, n.keyword = new, keyword_of(n)  # type: ignore[attr-defined]
            case ast.FunctionDef() if n.name == old and n is not scope:
                n.name = new
            case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar() if n.name == old:
                n.name = new
            case ast.Nonlocal(names=names):
                n.names = [new if x == old else x for x in names]
        todo += children(n) if n is scope or old not in binds(n) else outside(n)
