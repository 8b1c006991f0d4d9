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
        ("build the array from its parts: np.concatenate, np.stack, np.where, or a list and np.array",),
    ),
    "mutation": Family(
        "S202",
        "`{}` may change a value in place, which is not supported",
        "",
        ("use a function that returns the new value and bind it to a name",),
    ),
    "changes": Family(
        "S202",
        "`{}` assigns to attributes or entries of its argument, which its caller sees",
        "this changes an object that lives on",
        ("let it return the new value, and bind that to a name", "or write its statements here"),
    ),
    "changed": Family(
        "S202",
        "`{}` is used as a whole after a part of it was assigned to",
        "the derivative has the parts as variables: it can't put the object together again",
        ("copy the object first, or pass the parts one by one",),
    ),
    "constructor": Family(
        "S204",
        "what the constructor of `{}` does is not followed here",
        "",
        ("bind the object to a name of its own, and read its attributes", "or make it a dataclass or a NamedTuple"),
    ),
    "nested": Family(
        "S203",
        "{} inside a function is not supported",
        "",
        ("move it to the top level of the module and pass what it reads as arguments",),
    ),
    "class": Family("S204", "a class inside a function is not supported"),
    "with": Family(
        "S205",
        "`{}` is not supported in a function to be differentiated",
        "",
        ("move the with statement to the caller",),
    ),
    "try": Family(
        "S206",
        "{} is not supported in a function to be differentiated",
        "",
        ("test for the exceptional case with an if", "or catch the exception in the caller"),
    ),
    "match": Family("S207", "{} is not supported", "", ("write it as if and elif",)),
    "async": Family("S208", "{} is not supported", "", ("collect the values in a list and return it",)),
    "global": Family(
        "S210", "`{}` is not supported here", "", ("pass the value as an argument and return the new one",)
    ),
    "del": Family("S211", "`del {}` is not supported", "", ("leave the line out",)),
    "decorated": Family(
        "S212",
        "`{}` is not the plain function of its text: {}",
        "",
        ("differentiate the undecorated function, and decorate the result",),
    ),
    "star": Family("S213", "{} is not supported", "", ("write the arguments out",)),
    "comprehension": Family("S214", "{} is not supported here", "", ("write it as a list comprehension or a loop",)),
    "dict": Family("S215", "{}", "", ('write the keys as literals: params["W"]',)),
    "callee": Family(
        "S217",
        "{}",
        "",
        (
            "call a function of this module or of an imported one by its name",
            "a parameter that is a function needs a default: act=np.tanh",
        ),
    ),
    "walrus": Family("S218", "`:=` is not supported here: {}", "", ("assign the name in a statement before",)),
    "loopchange": Family("S219", "the list `{}` changes while a loop runs over it", "", ("loop over a copy of it",)),
    "target": Family("S220", "{} can't be assigned to here"),
    "expression": Family("S221", "{} is not supported"),
    "name": Family("S107", "the name `{}` is not defined in this module"),
}


def diagnostic(
    family: str, span: Span | None, *words: str, help: tuple[str, ...] | None = None, label: str = ""
) -> Diagnostic:
    f = FAMILIES[family]
    return Diagnostic(f.code, f.message.format(*words), span, label or f.label, f.help if help is None else help)


STATEMENTS: dict[type[ast.stmt], tuple[str, str]] = {
    ast.AsyncFunctionDef: ("async", "an async function"),
    ast.ClassDef: ("class", ""),
    ast.AsyncWith: ("async", "`async with`"),
    ast.AsyncFor: ("async", "`async for`"),
    ast.TryStar: ("try", "`except*`"),
    ast.Nonlocal: ("global", "nonlocal"),
}
