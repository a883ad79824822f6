"""The helpers that emitted code calls, inside Numba-compiled code: one `@overload` for each function of the run time.

Enters: Numba types of the arguments. Leaves: the implementation for these types, compiled into the caller; None where there is
none, so that Numba says which call it does not take.

Files go by topic as those of `runtime.functions` do. `core` holds the helpers of every derivative and the questions about types
that the others ask (`is_array`, `ranks`, `gradient_dtype`); `loop_nests` writes loops as text where their number depends on
ranks; `forward` and `batched` are forward mode, in one and in several directions.

May import: Numba, the run time, `machine`. Loaded as a whole by `options.init`: a new file is found. Start reading: `core`.
"""
