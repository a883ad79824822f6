"""Reverse mode: the corpus, golden files, writes in place."""
