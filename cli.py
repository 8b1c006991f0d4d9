"""The command line of a checkout: `python cli.py grad model.py` is `s2s grad model.py`."""

from s2s.cli import run

if __name__ == "__main__":
    run()
