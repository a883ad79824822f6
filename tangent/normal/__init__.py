"""To normal form: one operation a statement, structured control flow, one exit, one name per definition.

Enters: a `Source` of the frontend.
Leaves: the same function in the normal form, as a frozen record with what is known of it: active names, writes, kinds.
May import: `analysis` and what stands before it. No rule of a derivative is applied here.
Start with: `normalise`, which lists the steps; then `three_address` (one operation a statement) and `ssa` (one name per
definition). `inlined`, `outlined` and `desugar` come before them, `typed` holds passes that run once it is known what variables
hold; `objects` takes apart objects that nobody else sees, where the function cannot be said otherwise.
"""
