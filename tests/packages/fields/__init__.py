"""Functions of packages, by the fields that these are from."""
