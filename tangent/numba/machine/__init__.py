"""What becomes machine code: Numba's compiler for emitted functions, its extra passes, and types that Numba does not have.

Enters: an emitted function and the types of its arguments.
Leaves: machine code.
May import: Numba, llvmlite, the run time, `numba.options`, and `overloads.loop_nests`, which writes loops as text.
Start with: `compile.Compiler`, with the one place where a failed attempt leads to another; `errors` says what Numba said in the
user's words, `types_of` asks Numba's inference what variables hold, and `passes` has those over its intermediate code.
`tape`, `tape_views`, `parallel_tapes` and `recursion_tape` are the tapes, in LLVM; `simd`, `simd_arrays` and `simd_functions`
tangents in eight directions as SIMD vectors; `extents` is what loops over slices call.
"""
