"""The normal form."""
