"""Programs by the kinds of statements in them."""
