"""Loops that keep a few states."""
