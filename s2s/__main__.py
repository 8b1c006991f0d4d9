"""`python -m s2s`: the same as the command `s2s`."""

from s2s.cli import run

if __name__ == "__main__":
    run()
