"""The command line, explain, check and the report of the tape."""
