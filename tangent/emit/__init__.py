"""From trees to text that people read, and from text to functions.

Enters: syntax trees, with notes of which line of the user's each statement stands for, and names of library objects.
Leaves: source with the user's comments and `# Grad of: ...`, and the function compiled from it, whose lines debuggers show.
May import: `frontend`, and `templates` for the library names that rules use. The only room that knows `astor`.
Start with: `printer.emit`, then `build`; `library` gives library objects names that collide with none of the user's.
"""
