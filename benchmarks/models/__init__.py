"""The models of the Tangent and Lantern papers, beside PyTorch and JAX: `python -m benchmarks.models`."""
