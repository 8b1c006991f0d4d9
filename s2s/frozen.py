"""Classes whose objects do not change once they are made.

mypy holds that, not the interpreter: the `__init__` of a frozen dataclass sets each field through
`object.__setattr__` and takes three times as long, and nodes, facts and shapes are most of what a run makes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def by_value(cls: type[T]) -> type[T]:
    """A frozen dataclass whose objects compare by value."""
    return dataclass(slots=True, unsafe_hash=True)(cls)


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def by_identity(cls: type[T]) -> type[T]:
    """A frozen dataclass each of whose objects equals only itself."""
    return dataclass(slots=True, eq=False)(cls)


def replace(old: T, /, **changes: Any) -> T:
    """A new object with some fields changed, in a fifth of the time of `dataclasses.replace`."""
    cls: Any = type(old)
    made: T = _maker(cls, tuple(changes))(old, *changes.values())
    return made


@cache
def _maker(cls: Any, changed: tuple[str, ...]) -> Callable[..., Any]:
    """What makes an object of another one and of new values of some fields: `lambda old, y: cls(old.x, y, z=old.z)`."""
    given = [f for f in dataclasses.fields(cls) if f.init]
    unknown = set(changed) - {f.name for f in given}
    if unknown:
        raise TypeError(f"{cls.__name__} has no field {', '.join(sorted(unknown))}")
    new = [(f, f.name if f.name in changed else f"old.{f.name}") for f in given]
    values = [f"{f.name}={value}" if f.kw_only is True else value for f, value in new]
    maker: Callable[..., Any] = eval(f"lambda old, {', '.join(changed)}: cls({', '.join(values)})", {"cls": cls})
    return maker
