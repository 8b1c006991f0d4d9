"""The command line of a checkout: `python cli.py grad model.py` is `s2s grad model.py`."""

from s2s.cli import main

if __name__ == "__main__":
    main(prog_name="s2s")
