"""`python -m tangent`: the same as the command `tangent`."""
import sys

from tangent.interfaces.tools.cli import main

if __name__ == '__main__':
    sys.exit(main())
