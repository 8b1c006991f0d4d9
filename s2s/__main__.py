"""`python -m s2s`: the same as the command `s2s`."""

from s2s.cli import main

if __name__ == "__main__":
    main(prog_name="s2s")
