"""Tables for terminals: columns that line up, in colours."""
import re

from tangent.interfaces.tools.viewer import colours

ESCAPES = re.compile(r'\x1b\[[0-9;]*m')


class Paint:
    """Words in colours, where they are wanted."""

    def __init__(self, choice):
        self.wanted = colours.is_wanted(choice=choice)

    def good(self, text):
        return self.shown('32', text)

    def bad(self, text):
        return self.shown('1;31', text)

    def faint(self, text):
        return self.shown('2', text)

    def shown(self, code, text):
        return f'\x1b[{code}m{text}\x1b[0m' if self.wanted else text


def number(value):
    return f'{value:.6g}'


def table(rows):
    """The rows in columns that line up."""
    widths = [max(width(row[k]) for row in rows) for k in range(len(rows[0]))]
    return '\n'.join('  '.join(cell + ' ' * (wide - width(cell)) for cell, wide in zip(row, widths)).rstrip() for row in rows)


def width(cell):
    return len(ESCAPES.sub('', cell))
