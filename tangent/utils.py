"""What emitted code calls, by public names: the run time, kept importable for scripts and for exported derivatives."""
from tangent.runtime.api import *  # noqa: F403
from tangent.runtime.api import __all__  # noqa: F401
