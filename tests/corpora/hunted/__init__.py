"""Programs whose derivatives were wrong once."""
