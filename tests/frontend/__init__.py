"""Reading functions: their text, their names, what is refused."""
