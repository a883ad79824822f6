"""The printed text, and functions made of text."""
