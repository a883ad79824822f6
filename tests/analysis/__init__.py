"""What is known of a function before it is differentiated: kinds, aliases, named values."""
