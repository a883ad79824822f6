"""Scripts as users write them, for `tests/interfaces/test_typing.py`: they are read by type checkers."""
