"""Programs on more than one machine."""
