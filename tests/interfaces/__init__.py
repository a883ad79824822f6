"""What users call: matrices, solvers, rules of their own."""
