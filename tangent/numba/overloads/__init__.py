"""The helpers that emitted code calls, inside Numba-compiled code: an overload for each function of the run time.

Enters: the types of the arguments of a call.
Leaves: the implementation for these types; None where there is none, so that Numba says which call it does not take.
May import: Numba, the run time, `machine`. `options.init` loads all files that it finds here.
Start with: `core`, the helpers of every derivative and the questions about types that the others ask. The others go by topic as
`runtime.functions` does; `loop_nests` writes loops as text where their number depends on ranks; `forward` and `batched` are
forward mode, in one direction and in several.
"""
