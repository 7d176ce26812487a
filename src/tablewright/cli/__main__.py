"""Entry point of ``python -m tablewright.cli``."""

import sys

from tablewright.cli import main

if __name__ == "__main__":
    sys.exit(main())
