"""Lists and dicts that are filled one by one, as they are written in one display or comprehension.

laws = {}                            laws = {"linear": lambda v: w * v, "sine": np.sin}
laws["linear"] = lambda v: w * v
laws["sine"] = np.sin

for k in (1.0, 2.0):                 steps = [partial(scale, k) for k in (1.0, 2.0)]
    steps.append(partial(scale, k))

new = {}                             new = {k: v - h * grad[k] for k, v in params.items()}
for k, v in params.items():
    new[k] = v - h * grad[k]

Lists, and dicts of literal keys, where they hold functions. Only where the statements stand behind one another, or
between them others that have nothing to do with it, so that nothing else may see what is filled before it is whole.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.rounds import rounds
from s2s.frontend.text.scopes import body_nodes, bound_names, every_block, free_names, mentions, read_names, walk
from s2s.frontend.text.source import made

COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Entry = tuple[ast.expr | None, ast.expr]  # its key in a dict, and what is put there


def write_out(function: ast.FunctionDef, names: ModuleNames, filled: Collection[str] = ()) -> None:
    """Changes the body of a function. filled: dicts that stay what they are (`filled`)."""
    if not any(isinstance(n, ast.Lambda | ast.Attribute | ast.Subscript) for n in body_nodes(function)):
        return
    own = {n.name for n in body_nodes(function) if isinstance(n, ast.FunctionDef)}
    for block in every_block(function.body):
        for s in list(block):
            match s:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.List() | ast.Dict() as display) if (
                    name not in filled
                ):
                    gather(function, block, s, name, display, names, own)


def gather(
    function: ast.FunctionDef,
    block: list[ast.stmt],
    s: ast.Assign,
    name: str,
    display: ast.List | ast.Dict,
    names: ModuleNames,
    own: set[str],
) -> None:
    start = block.index(s) + 1
    found: list[tuple[int, Entry]] = []
    for i in range(start, len(block)):
        if isinstance(block[i], ast.FunctionDef) and not mentions(block[i], name):
            continue
        entry = put(block[i], name, isinstance(display, ast.Dict))
        if entry is None and not mentions(block[i], name) and all(may_wait(e, block[i]) for _, (_, e) in found):
            continue
        if entry is None or mentions_inside(entry, name):
            break
        found.append((i, entry))
    first: list[Entry] = []
    match display:
        case ast.Dict(keys=keys, values=values):
            first = list(zip(keys, values, strict=True))
        case ast.List(elts=elts):
            first = [(None, e) for e in elts]
    entries = [*first, *(e for _, e in found)]
    if found:
        if all(may_be(e, names, own) for _, e in entries) and any(is_one(e, names, own) for _, e in entries):
            whole: ast.expr = made(ast.List([e for _, e in entries], ast.Load()), display)
            if isinstance(display, ast.Dict):
                whole = made(ast.Dict([k for k, _ in entries], [e for _, e in entries]), display)
            block[found[-1][0]] = ast.copy_location(ast.Assign(s.targets, whole), s)
            gone = [id(s), *(id(block[i]) for i, _ in found[:-1])]
            block[:] = [x for x in block if id(x) not in gone]
    elif not entries and start < len(block):
        listed = isinstance(display, ast.List)
        next_ = block[start]
        whole_loop = looped(function, next_, name, names, own) if listed else keyed(function, next_, name)
        if whole_loop is not None:
            block[start] = made(ast.Assign(s.targets, whole_loop), next_)
            block.remove(s)


def put(s: ast.stmt, name: str, is_dict: bool) -> Entry | None:
    """What a statement adds to a list or a dict."""
    match s:
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="append"), args=[e], keywords=[])
        ) if of == name and not is_dict:
            return None, e
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=of), slice=ast.Constant() as key)], value=e) if (
            of == name and is_dict
        ):
            return key, e
    return None


def may_wait(e: ast.expr, s: ast.stmt) -> bool:
    """Whether a function is the same behind a statement: it reads what it captures where it is called."""
    match e:
        case ast.Lambda(args=args):
            return not args.defaults and not any(args.kw_defaults)
        case ast.Name(id=name):
            return name not in bound_names(walk(s))
    return False


def mentions_inside(entry: Entry, name: str) -> bool:
    return name in read_names(entry[1])


def looped(function: ast.FunctionDef, s: ast.stmt, name: str, names: ModuleNames, own: set[str]) -> ast.ListComp | None:
    """The comprehension that a loop is that does nothing but to append a function in each round."""
    if not isinstance(s, ast.For) or len(s.body) != 1 or s.orelse:
        return None
    entry = put(s.body[0], name, False)
    clause = ast.comprehension(s.target, s.iter, [], 0)
    if entry is None or not is_one(entry[1], names, own) or not rounds(clause, names.values, lambda n: False):
        return None
    targets = {n.id for n in walk(s.target) if isinstance(n, ast.Name)}
    inside = {id(n) for n in walk(s)}
    elsewhere = {n.id for n in body_nodes(function) if isinstance(n, ast.Name) and id(n) not in inside}
    lambdas = [n for n in walk(entry[1]) if isinstance(n, ast.Lambda)]
    if targets & elsewhere or any(targets & set(free_names(n)) for n in lambdas) or name in read_names(s.iter):
        return None
    return made(ast.ListComp(entry[1], [clause]), s.iter)


def keyed(function: ast.FunctionDef, s: ast.stmt, name: str) -> ast.DictComp | None:
    """The comprehension that a loop over a dict is that does nothing but to give an entry for each key."""
    match s:
        case ast.For(
            target=(ast.Name(id=key) | ast.Tuple(elts=[ast.Name(id=key), ast.Name()])) as target,
            iter=(ast.Name() | ast.Call(func=ast.Attribute(value=ast.Name(), attr="items" | "keys"), args=[])) as it,
            body=[ast.Assign(targets=[ast.Subscript(value=ast.Name(id=of), slice=ast.Name(id=k))], value=value)],
            orelse=[],
        ) if of == name and k == key and name not in read_names(value) | read_names(it):
            targets = {n.id for n in walk(target) if isinstance(n, ast.Name)}
            if only_in_loops(function, targets):
                clause = ast.comprehension(target, it, [], 0)
                return made(ast.DictComp(made(ast.Name(key, ast.Load()), s), value, [clause]), it)
    return None


def only_in_loops(function: ast.FunctionDef, targets: set[str]) -> bool:
    """Whether nothing but loops and comprehensions that bind them themselves reads the variables of a loop, none of
    which stands in another one that binds the same."""
    every = [n for x in function.body for n in walk(x)]
    inside: set[int] = set()
    for n in every:
        if isinstance(n, ast.For | COMPREHENSIONS):
            bound = bound_by(n)
            inside |= {id(x) for x in walk(n) if isinstance(x, ast.Name) and x.id in bound}
            inner = (x for x in walk(n) if isinstance(x, ast.For | COMPREHENSIONS) and x is not n)
            if isinstance(n, ast.For) and any(bound & targets & bound_by(x) for x in inner):
                return False
    return all(id(n) in inside for n in every if isinstance(n, ast.Name) and n.id in targets)


def bound_by(loop: ast.AST) -> set[str]:
    """The variables of a loop or a comprehension."""
    targets = [g.target for g in loop.generators] if isinstance(loop, COMPREHENSIONS) else []
    targets += [loop.target] if isinstance(loop, ast.For) else []
    return {x.id for t in targets for x in walk(t) if isinstance(x, ast.Name)}


def may_be(e: ast.expr, names: ModuleNames, own: set[str]) -> bool:
    """Whether an expression may be a function."""
    return isinstance(e, ast.Name | ast.Attribute) or is_one(e, names, own)


def is_one(e: ast.expr, names: ModuleNames, own: set[str]) -> bool:
    """Whether an expression is a function, by its text."""
    match e:
        case ast.Lambda():
            return True
        case ast.Name(id=name):
            return name in own or name in names.functions
        case ast.Attribute(value=ast.Name(id=name)):
            return names.imports.names.get(name) in ("numpy", "math")
        case ast.Call(func=ast.Name(id=name)):
            maker = names.functions.get(name)
            partial = names.imports.names.get(name) == "functools.partial"
            return partial or (
                maker is not None and any(isinstance(n, ast.FunctionDef | ast.Lambda) for n in body_nodes(maker))
            )
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="partial")):
            return names.imports.names.get(name) == "functools"
    return False
