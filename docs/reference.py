"""The pages of the API reference: all public names, with their docstrings, in the groups of docs/names.md.

A name stands on the page of the table in docs/names.md in which it stands; the public modules have a page each.
"""
import inspect
import pathlib
import re
import types

import tangent

NAMES = pathlib.Path(__file__).parent / 'names.md'
TITLES = {'derivatives': 'Derivatives', 'to look at it': 'Looking at derivatives', 'to change it': 'Rules, surgery, memory',
          'what emitted code calls': 'What emitted code calls'}


def groups():
    """Title of a page -> the names on it that are no modules."""
    found, title = {}, None
    for line in NAMES.read_text(encoding='utf-8').splitlines():
        first = line.split('|')[1].strip() if line.startswith('|') else ''
        if first in TITLES:
            title = TITLES[first]
        for name in re.findall(r'`tangent\.(\w+)`', first):
            if name not in modules():
                found.setdefault(title, []).append(name)
    return found


def modules():
    return [name for name in tangent.__all__ if isinstance(getattr(tangent, name), types.ModuleType)]


def members(module):
    """The public functions and classes of a module."""
    things = {name: getattr(module, name) for name in getattr(module, '__all__', None) or vars(module)}
    return [name for name, thing in things.items() if hasattr(thing, '__qualname__') and not name.startswith(('_', 'refuse'))
            and (hasattr(module, '__all__') or thing.__module__ == module.__name__)]


def pages():
    """Path of a page below docs/ -> (title, text)."""
    found = {}
    for title, names in groups().items():
        entries = [entry(f'tangent.{name}', getattr(tangent, name)) for name in names]
        found[f'api/{title.lower().replace(",", "").replace(" ", "-")}.md'] = title, f'# {title}\n\n' + '\n'.join(entries)
    for name in modules():
        module = getattr(tangent, name)
        entries = [entry(f'tangent.{name}.{member}', getattr(module, member)) for member in members(module)]
        head = f'# tangent.{name}\n\n{inspect.getdoc(module)}\n\n'
        found[f'api/{name}.md'] = f'tangent.{name}', head + '\n'.join(entries)
    return found


def entry(name, thing):
    """The part of a page on one name. What has several names is shown in full under its own."""
    home = f'{thing.__module__}.{thing.__qualname__}'
    own = shown_first(thing)
    if name != own:
        return f'## {name} {{ #{name} }}\n\nThe same as [`{own}`][{home}].\n'
    return f'[](){{ #{name} }}\n\n::: {home}\n    options:\n      heading: "{name}"\n      toc_label: "{name}"\n'


def shown_first(thing):
    """The name under which a thing is described: that of `tangent` that is its own, else the first of all."""
    names = [f'tangent.{n}' for n in tangent.__all__ if getattr(tangent, n) is thing]
    for face in modules():
        module = getattr(tangent, face)
        names += [f'tangent.{face}.{n}' for n in members(module) if getattr(module, n) is thing]
    return next((n for n in names if n == f'tangent.{thing.__qualname__}'), names[0])
