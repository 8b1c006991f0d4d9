"""Functions of NumPy that update the items that an array of numbers names, one after the other: a loop of stores.

    np.maximum.at(out, idx, x)      assert np.ndim(idx) == 1 and np.asarray(idx).dtype.kind in "iu"
                                    items = np.broadcast_to(x, np.shape(out[idx])).copy()
                                    for k, item in zip(idx, items):
                                        out[k] = np.maximum(out[k], item)

An item may be named more than once, so that each update reads what the one before has written. What is updated with is
copied first, as NumPy does where it shares memory with the array. `np.add.at` and `np.subtract.at` are stores.
"""

from __future__ import annotations

import ast

from s2s.frontend.rewrites.stacks import parsed
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, dotted, every_block, key_parts, new_name, parameters, walk

NAMES = "maximum minimum fmax fmin multiply divide true_divide power float_power hypot logaddexp"
UPDATES = frozenset(NAMES.split())


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function."""
    nodes = body_nodes(function)
    if not any(isinstance(n, ast.Attribute) and n.attr == "at" for n in nodes):
        return
    own = bound_names(nodes) | {p.arg for p in parameters(function)}
    numpy = names.own_numpy(own)
    taken = own | {n.id for n in walk(function) if isinstance(n, ast.Name)}
    if not numpy or "zip" in own:
        return
    for block in every_block(function.body):
        block[:] = [new for s in block for new in _written_out(s, numpy, taken)]


def _written_out(s: ast.stmt, numpy: str, taken: set[str]) -> list[ast.stmt]:
    match s:
        case ast.Expr(value=ast.Call(func=func, args=[ast.Name(id=array), places, value], keywords=[])):
            pass
        case _:
            return [s]
    match dotted(func):
        case [root, name, "at"] if root == numpy and name in UPDATES:
            pass
        case _:
            return [s]
    before: list[str] = []
    numbers: list[str] = []
    for e in key_parts(places):
        if isinstance(e, ast.Slice | ast.Starred):
            return [s]
        if isinstance(e, ast.Name) and e.id != array:
            numbers.append(e.id)
        else:
            numbers.append(new_name(taken, "places"))
            before.append(f"{numbers[-1]} = {ast.unparse(e)}")
    for n in numbers:
        before.append(f'assert {numpy}.ndim({n}) == 1 and {numpy}.asarray({n}).dtype.kind in "iu"')
    several = len(numbers) > 1
    items, item = new_name(taken, "items"), new_name(taken, "item")
    at = [new_name(taken, "k") for _ in numbers]
    shape = f"{numpy}.shape({array}[{', '.join(numbers)}])"
    before.append(f"{items} = {numpy}.broadcast_to({ast.unparse(value)}, {shape}).copy()")
    if several:
        before.append(f"assert {' == '.join(f'len({n})' for n in [*numbers, items])}")
    place = f"{array}[{', '.join(at)}]"
    loop = f"for {', '.join([*at, item])} in zip({', '.join([*numbers, items])}):\n"
    loop += f"    {place} = {numpy}.{name}({place}, {item})"
    return [parsed(text, s) for text in [*before, loop]]


__all__ = ["write_out"]
