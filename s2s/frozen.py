"""Classes whose objects do not change once they are made.

mypy holds that, not the interpreter: the `__init__` of a frozen dataclass sets each field through
`object.__setattr__` and takes three times as long, and nodes, facts and shapes are most of what a run makes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def by_value(cls: type[T]) -> type[T]:
    """A frozen dataclass whose objects compare by value."""
    return dataclass(slots=True, unsafe_hash=True)(cls)


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def by_identity(cls: type[T]) -> type[T]:
    """A frozen dataclass each of whose objects equals only itself."""
    return dataclass(slots=True, eq=False)(cls)
