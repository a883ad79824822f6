"""The run time: what emitted code calls. It knows arrays and never sees a syntax tree.

Enters: values and gradients, of the user's types. Leaves: zeros, sums, casts, seeds as they are checked, the tape.
May import: `errors` alone; NumPy, and SciPy where a function of SciPy's is at hand.
Start with: `api`, which lists what scripts may call; then `zeros`, `add`, `broadcast` and `tape`. `functions` are the
formulas that rules call by name, `references` library functions in plain Python, `tangents` the zeros of forward mode.
"""
