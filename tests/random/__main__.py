"""`python -m tests.random`: see `random_programs`."""
import sys

from tests.random.random_programs import main

sys.exit(main())
