"""The log form: objects, containers, and what is known only when running."""
