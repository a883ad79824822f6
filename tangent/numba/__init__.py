"""Everything that names Numba: derivatives of functions that `numba.njit` compiles, and the run time inside compiled code.

Enters: what `reverse` or `forward` made of a function (trees and parts), and the options of its decorator.
Leaves: functions that remember their compiled form, whose text Numba takes; or an error with the line and the way out.
May import: `eventlog` and what stands before it. Only `machine` and `overloads` import Numba, and only `options` loads them.
Start with: `options.Flags`, how a derivative is compiled, and `options.init`, which makes the run time known to Numba; `entry`
waits for the import of Numba. `target` changes trees for Numba before they are text; `loops` makes an emitted function anew,
with loops, for types of arguments; `machine` is what becomes machine code (compiler, passes, tapes, SIMD); `overloads` are the
helpers of the run time inside compiled code.
"""
