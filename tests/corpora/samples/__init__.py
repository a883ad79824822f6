"""Samples of calls of every function that has a rule."""
