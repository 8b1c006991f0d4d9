"""python -m s2s.frontend FILE FUNCTION: the function in A-normal form, as Python."""

import sys
from pathlib import Path

from s2s.errors import S2SError
from s2s.frontend import read_module
from s2s.ir import print_function


def main() -> int:
    path, names = sys.argv[1], sys.argv[2:]
    try:
        module = read_module(Path(path).read_bytes(), Path(path).name)
        for name in names or module.functions:
            print(print_function(module.function(name)), end="\n\n")
    except S2SError as e:
        print(e, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
