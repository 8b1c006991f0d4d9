"""What is refused, and in which words: one code for each family of constructs, with a way out where there is one."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from s2s.errors import Diagnostic, Span


@dataclass(frozen=True)
class Family:
    code: str
    message: str  # with {} for what is refused
    label: str = ""
    help: tuple[str, ...] = ()


FAMILIES = {
    "store": Family(
        "S201",
        "writing into `{}` in place is not supported",
        "this changes an existing value",
        (
            "keep it in an array or list of the function's own, and return it",
            "or leave it to the caller of this function",
        ),
    ),
    "mutation": Family(
        "S202",
        "`{}` may change a value in place, which is not supported",
        "",
        ("use what returns the new value, and bind it to a name", "or leave it to the caller of this function"),
    ),
    "fickle": Family(
        "S202",
        "`{}` reads an object of the module that may change by that, or give something else each time",
        "",
        (
            "read it before, and hand over what it gives",
            "or hand over the object as a parameter: `def f(x, model: Model)`",
        ),
    ),
    "changes": Family(
        "S202",
        "`{}` changes attributes, entries or items of its argument, which its caller sees",
        "this changes an object that lives on",
        (
            "call it in a statement of its own; it must not call itself, nor leave a loop by `return` and by `break`",
            "or let it return the new value, and bind that to a name",
        ),
    ),
    "changed": Family(
        "S202",
        "`{}` is used as a whole after a part of it was assigned to",
        "the derivative has the parts as variables: it can't put the object together again",
        ("hand on its parts one by one",),
    ),
    "sequence": Family(
        "S204",
        "`{}` is run over by `__getitem__`, up to the key for which that raises, which is not known",
        "",
        ("run over the numbers of its items: `for k in range(n): v = path[k]`",),
    ),
    "copied": Family(
        "S204",
        "`{}` says itself what a copy of its objects is, which is not followed",
        "",
        ("write a method that makes the copy, `def clone(self)`, and call that",),
    ),
    "constructor": Family(
        "S204",
        "what the constructor of `{}` does is not followed here",
        "",
        (
            "let it keep what it is given, `self.x = x`, and compute the rest before it is called",
            "or let no method that changes the object call itself, or leave a loop by `return` and by `break`",
            "or make it a dataclass or a NamedTuple, and let functions return new objects",
        ),
    ),
    "nested": Family(
        "S203",
        "{}, so that what a call of it means is not known",
        "this nested function",
        ("give the function and the value names of their own",),
    ),
    "class": Family(
        "S204",
        "a class inside a function is not supported",
        "",
        ("move it to the top level of the module, and pass what it reads to its constructor",),
    ),
    "with": Family(
        "S205",
        "what `with {}` does to its body is not known",
        "",
        ("put the `with` around the call of the function, and pass what it yields as an argument",),
    ),
    "open": Family(
        "S205",
        "`with {}` is not supported: a derivative reads and writes no files",
        "",
        ("open the file in the caller: pass what is read as an argument, write what the function returns",),
    ),
    "try": Family(
        "S206",
        "{} is not supported in a function to be differentiated",
        "",
        ("move the exit behind the `try`", "or test for the exceptional case with an `if`"),
    ),
    "group": Family("S206", "{} is not supported", "", ("catch the exceptions with `except`, or test with an `if`",)),
    "match": Family("S207", "{} is not supported", "", ("write the test as `if` and `elif`",)),
    "async": Family("S208", "{} is not supported", "", ("append the values to a list, and return the list",)),
    "coroutine": Family("S208", "{} is not supported", "", ("write it as a plain function, and await in its caller",)),
    "global": Family(
        "S210",
        "`{}` is not supported here: a derivative does not change what lies outside of the function",
        "",
        ("pass the value as an argument, and return the new one",),
    ),
    "rebound": Family(
        "S210",
        "`{}` has no fixed value: functions of this module, or other modules, bind it again",
        "",
        ("pass it as an argument",),
    ),
    "replaced": Family(
        "S301",
        "`{}` is bound to something else by a module of the program: what it computes is not known",
        "",
        ("call what is bound to it by a name of its own",),
    ),
    "hiding": Family(
        "S210",
        "`{0}` is imported here, and is something else elsewhere in the module",
        "",
        ("import it under a name of its own: `as own_{0}`",),
    ),
    "del": Family(
        "S211",
        "`del {}` is not supported: it changes a value in place",
        "",
        ("build the list or dict without it: `z = [z[0], z[2]]`", "or leave the item in, and the line out"),
    ),
    "decorated": Family(
        "S212",
        "`{}` is not the plain function of its text: {}",
        "",
        ("leave the decorator out, or decorate the result: `fast = decorator(f)`",),
    ),
    "cached": Family(
        "S212",
        "`{}` is computed once, and may be out of date: the module changes objects or arrays",
        "",
        ("compute it at each read, by `@property`, or once in the constructor",),
    ),
    "shared default": Family(
        "S212",
        "the default of `{0}` in `{1}` is one object for all calls that leave it out, and it is changed",
        "the next call has what this one has left there",
        ("let it be None, and make the object in the function: `if {0} is None:`", "or pass it in each call"),
    ),
    "default": Family(
        "S212",
        "the default of `{}` in `{}` is not what its text says when the function runs: {}",
        "",
        (
            "pass the argument in the call, and leave the default out",
            "or bind the names in it once, above the function",
        ),
    ),
    "star": Family(
        "S213", "{} is not supported: which values it stands for is not known", "", ("write them out, one by one",)
    ),
    "attribute": Family(
        "S216",
        "the attribute `{}` of a value is not supported: arrays have it and a class, and which of them is not known",
        "",
        (
            "give the object a name of its own: `cell = Cell(x)`, then `cell.size`",
            "or say what a parameter is: `def total(cell: Cell)`, `def total(cells: list[Cell])`",
            "or give the attribute another name than that of an array",
        ),
    ),
    "iterator": Family(
        "S208",
        "`{}` is an iterator, of which more is taken in the loop over it, or something may be left",
        "what it gives depends on what it has given",
        ("make it a list first, `items = list(...)`, and take its items by number",),
    ),
    "comprehension": Family("S214", "{} is not supported here", "", ("write it as a list comprehension or a loop",)),
    "late": Family(
        "S214",
        "the body of this loop changes what its items are still computed from",
        "computed item by item",
        ("compute the item in the body: `for y in ys:`, then `w = y * k`",),
    ),
    "dict": Family(
        "S215",
        "{}",
        "",
        ('write the keys as literals: params["W"]', "or pass what has computed keys under a name of its own"),
    ),
    "operator": Family(
        "S217",
        "`{}` calls an operator of `{}`, which is not followed",
        "",
        (
            "say of which class parameters are: `def rotate(q: Quaternion, v)`",
            "or write it where its text can stand: outside of a lambda or a nested function",
            "or calculate with the attributes: `a.x + b.x`",
        ),
    ),
    "super": Family(
        "S217",
        "of which class `super()` is the base depends on the object",
        "",
        ("name the class: `Base.step(self, h)`",),
    ),
    "callee": Family(
        "S217",
        "{}",
        "",
        (
            "call a function by its name, or choose it from a dict of functions: `LAWS[kind](x)`",
            "say which function a parameter is by a default, or above the `def`: `# s2s: act=np.tanh`",
        ),
    ),
    "caller": Family(
        "S217",
        "{}",
        "",
        (
            "write out what it does with the function: the loop of a solver, the weighted sum of a quadrature",
            "or give the call a rule, with a function of the module around it: `s2s explain your-own-rules`",
        ),
    ),
    "walrus": Family("S218", "`:=` is not supported here: {}", "", ("assign the name in a statement before",)),
    "loopchange": Family(
        "S219",
        "the list `{0}` changes while a loop runs over it",
        "",
        ("loop over a copy of it, `list({0})`", "or over a range, and read the items by their index"),
    ),
    "target": Family(
        "S220", "{} can't be assigned to here", "", ("assign to names, and to as many as there are values",)
    ),
    "expression": Family("S221", "{} is not supported", "", ("write the computation out",)),
    "name": Family(
        "S107", "the name `{}` is not defined in this module", "", ("define or import it at the top of the module",)
    ),
}


# Of a parameter that is called
WITH = "say which function it is, `--with {0}=np.tanh`, or above the `def`: `# s2s: {0}=np.tanh`"
# Of lists that the caller has: of a list of its own the function may do the same
TAKEN_OVER = frozenset(["append", "clear", "extend", "insert", "pop", "popleft", "reverse", "sort"])
TAKEN_OVER_HELP = (
    "where its caller needs no change of the list, let the differentiated function take it over: `{0} = list({0})`"
)
# Ways out of calls that change a value in place, by the last part of the name.
OF_SETS = "run over `sorted({0})`, and take `min({0})` out of the set: the order that it has itself is not followed"
INSTEAD = {
    "pop": (
        "read the item, `{0}[0]` or `{0}[-1]`, then bind the rest to the name: `{0} = {0}[1:]` or `{0} = {0}[:-1]`",
    ),
    "popleft": ("keep a list, and bind the rest of it to the name: `{0} = {0}[1:]`",),
    "insert": ("append to the list and read it from its end", "or make a new list: `new = [item]`, `new.extend({0})`"),
    "reverse": ("bind the reversed list to the name: `{0} = {0}[::-1]`",),
    "remove": ("make the list without it: `{0} = [v for v in {0} if ...]`",),
    "clear": ("bind a new list to the name: `{0} = []`",),
    "put": ("write it as a store: `{0}[k] = ...`",),
    "place": ("write it as a store: `{0}[mask] = ...`",),
    "putmask": ("write it as a store: `{0}[mask] = ...`",),
    "put_along_axis": ("write it as stores: `{0}[i, j] = ...`",),
    "at": ("use `np.add.at`, or a loop of stores: `{1}[k] = ...`",),
    "resize": ("use what returns the new array: `np.reshape({0}, ...)`, `np.concatenate`",),
    "partition": ("use `np.sort({0})`",),
    "shuffle": ("draw the order first, `order = np.random.permutation(n)`, and read through it: `{1}[order]`",),
    "update": ('write the entries one by one: `{0}["key"] = ...`',),
    "setdefault": ("write the entry in the caller",),
    "append": ("append to a list of the function's own, `values = []`, and return it",),
    "extend": ("extend a list of the function's own, `values = []`, and return it",),
    "setattr": ("name the attribute: `{0}.x = ...`", "or keep the values in a dict: `values[name] = ...`"),
    "exec": ("write the computation out: what a text does is not followed",),
    "eval": ("write the computation out: what a text does is not followed",),
    "heappush": ("append to the list, and sort where it is read: `np.sort(np.array(values))`",),
    "heappop": ("append to the list, and sort where it is read: `np.sort(np.array(values))`",),
    "heapify": ("sort where it is read: `np.sort(np.array({1}))`",),
}


# Of lists that lie in others: what has to hold of them (`s2s.frontend.rewrites.rows`)
IN_SLOTS = frozenset(["append", "extend", "pop"])
IN_SLOTS_HELP = (
    "make each list in `{0}` here, for its slot: `{0} = [[] for _ in range(n)]`; in `[[]] * n` all slots have one list",
    "and give `{1}` no other name, and run over it in no loop, in which or behind which it changes",
)
# Of objects that lie in a list: what has to hold of them (`s2s.frontend.rewrites.items`), and of lists in them
IN_LISTS_HELP = (
    "reach each object of the list by its place, `q = ps[j]`, and put it into no other list or object",
    "or let its constructor keep what it is given: `self.x = x`",
)
IN_LISTS_OF_FUNCTIONS = (
    "keep what the functions differ in, and call one with each: `for k in ks: s += g(x, k)`",
    "or give a list of known functions a name of its own here: `laws = [np.sin, g]`, `for law in laws: s += law(x)`",
)
IN_OBJECTS_HELP = "let the constructor take the list, `self.{0} = {0}`, and give it what it holds: `{1}(x, [a, b])`"
LISTS_OF_OBJECTS_HELP = "keep the lists beside the objects: `{1} = [[] for _ in {0}]`, then `{1}[i].append(...)`"


# Of entries of a dict under texts
ENTRY_HELP = "leave the entry in, and list the keys that count: `keys = [...]`, `for k in keys: {0}[k]`"


def instead(called: str, first: str, method: bool, given: bool) -> tuple[str, ...] | None:
    """A way out of `called(first, ...)`, a method or a function, where one is known. given: the method is that of a
    parameter."""
    owner, _, name = called.rpartition(".")
    found = INSTEAD.get(name)
    if given and name in TAKEN_OVER:
        return (TAKEN_OVER_HELP.format(owner), *(f"or {h.format(owner)}" for h in found or ()))
    if method and name in IN_SLOTS and owner.endswith("]"):
        return tuple(h.format(owner.partition("[")[0], owner) for h in IN_SLOTS_HELP)
    if method and name == "pop" and first[:1] in ("'", '"'):
        return (ENTRY_HELP.format(owner),)
    objects, _, attribute = owner.rpartition("].")
    if method and name == "append" and objects and attribute.isidentifier():
        return (LISTS_OF_OBJECTS_HELP.format(objects.partition("[")[0], attribute),)
    if found is not None:
        return tuple(h.format(owner if method else first or "a", first or "a") for h in found)
    if method:
        return (
            "call it in a statement of its own; it must not call itself, nor leave a loop by `return` and by `break`",
            f"or let it return what it changes, and bind that to a name: `{owner} = {called}(...)`",
        )
    return None


def diagnostic(
    family: str, span: Span | None, *words: str, help: tuple[str, ...] | None = None, label: str = ""
) -> Diagnostic:
    f = FAMILIES[family]
    help_ = tuple(h.format(*words) for h in f.help) if help is None else help
    return Diagnostic(f.code, f.message.format(*words), span, label or f.label, help_)


STATEMENTS: dict[type[ast.stmt], tuple[str, str]] = {
    ast.AsyncFunctionDef: ("coroutine", "an async function"),
    ast.ClassDef: ("class", ""),
    ast.AsyncWith: ("coroutine", "`async with`"),
    ast.AsyncFor: ("coroutine", "`async for`"),
    ast.TryStar: ("group", "`except*`"),
    ast.Nonlocal: ("global", "nonlocal"),
}
