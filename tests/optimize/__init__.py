"""The passes of the optimizer."""
