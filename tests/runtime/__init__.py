"""The run time: zeros, sums, the tape, kinds of numbers."""
