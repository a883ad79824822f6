"""Versions of arrays."""
