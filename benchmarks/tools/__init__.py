"""How times are taken, tables written, and other libraries found."""
