"""Random programs: their writers, what judges them, and those that failed once. `python -m tests.random --count 1000`"""
