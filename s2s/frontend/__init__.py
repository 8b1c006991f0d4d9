"""The front: a file's text, its names, and its functions in the IR."""

from s2s.frontend.parse import FunctionInfo, Module, read_module
from s2s.frontend.text.pragma import Pragma, Stated, parse_pragma, parse_shapes, stated

__all__ = ["FunctionInfo", "Module", "Pragma", "Stated", "parse_pragma", "parse_shapes", "read_module", "stated"]
