"""Loops in compiled derivatives: made of slices, merged, backwards, parallel."""
