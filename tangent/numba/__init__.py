"""Everything that names Numba: derivatives of functions that `numba.njit` compiles, and the run time inside compiled code.

Enters: what `reverse` or `forward` made of a function (trees and parts), and the options of its decorator. Leaves: functions
that remember their compiled form, whose text Numba takes as it is; or an error that names the line and the way out.

`entry` waits for the import of Numba; `options` is the door: how a derivative is compiled, and `init`, which makes the run
time known to Numba. `target` changes
trees for Numba before they are text; `loops` makes an emitted function anew, with loops, for types of arguments; `machine` is
what becomes machine code (compiler, passes, tapes, SIMD); `overloads` are the helpers of the run time inside compiled code.
Only `machine` and `overloads` import Numba, and nothing imports these two but `options`, when Numba is there.

May import: the rooms before it, up to `eventlog`. Start reading: `options.Flags`, then `target.lower.lowered`.
"""
