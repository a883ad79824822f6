"""What README, docs, examples and benchmarks show is what happens."""
