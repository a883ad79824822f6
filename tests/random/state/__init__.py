"""Random programs with state: their writer, and the judge that runs them in every mode."""
