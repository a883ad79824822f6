"""Zeros of forward mode, and tangents in several directions at once.

Enters: values, and tangents with one more axis in front. Leaves: tangents of the same form.
May import: `runtime`.
Start with: `zeros`, then `batched`.
"""
