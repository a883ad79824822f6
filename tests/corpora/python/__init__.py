"""Python programs as people write them, each with a derivative to be judged by: `python -m tests.corpora.python`."""
