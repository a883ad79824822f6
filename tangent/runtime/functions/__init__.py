"""Formulas that the texts of rules call by name: those of NumPy's topics in `numpy`, SciPy's in `scipy`; here, what all share.

Enters: values, results and gradients. Leaves: the gradient or the tangent that a rule was too short to write.
May import: `runtime`. A function here is found by its name; it needs no list.
Start with: `elementwise`.
"""
