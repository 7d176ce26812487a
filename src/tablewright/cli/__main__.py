"""`python -m tablewright.cli` is the command `tablewright`."""

import sys

from tablewright.cli import main

if __name__ == "__main__":
    sys.exit(main())
