"""What README and docs show is what happens: every block of Python in them runs, in order, and every command."""
import contextlib
import importlib
import re
import shlex
import sys
import types
from typing import NamedTuple

import pytest

import tangent
from tangent.interfaces.tools import cli
from tangent.interfaces.tools.cli import targets
from tangent.templates.language import registry
from tests import ROOT
from tests.tools import fake_cupy

PAGES = sorted([ROOT / 'README.md', ROOT / 'CONTRIBUTING.md', *ROOT.glob('docs/*.md')])
COMMAND = 'python -m tangent '


class Block(NamedTuple):
    """A fenced block: its kind, the number of its first line, its text, and the output shown after it or None."""
    kind: str
    line: int
    text: str
    output: str | None


def blocks(page):
    """The blocks of a page; a `text` block after another one, with at most the word "prints" between, is its output."""
    fences = list(re.finditer(r'^```(\w*)\n(.*?)^```$', page, re.M | re.S))
    found = []
    for k, fence in enumerate(fences):
        after = fences[k + 1] if k + 1 < len(fences) else None
        shown = after and after[1] == 'text' and page[fence.end():after.start()].strip() in ('', 'prints')
        found.append(Block(fence[1], page[:fence.start(2)].count('\n') + 1, fence[2], after[2] if shown else None))
    return found


def test_blocks_are_found():
    page = 'a\n```python\nprint(1)\n```\nprints\n```text\n1\n```\n\nand\n```text\nfree\n```\n'
    assert blocks(page) == [Block('python', 3, 'print(1)\n', '1\n'), Block('text', 7, '1\n', None),
                            Block('text', 12, 'free\n', None)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A current folder in which the examples can be reached, and modules that come and go with the test."""
    (tmp_path / 'examples').symlink_to(ROOT / 'examples')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, 'path', sys.path[:])
    before = set(sys.modules)
    for package in list(registry.EXTRAS):               # all rules are declared, before a page registers its own
        with contextlib.suppress(ImportError):
            importlib.import_module(package)
    importlib.import_module('tangent.interfaces.tools.coverage').entries()
    known = [(table, dict(table)) for table in (
        registry.REVERSE, registry.FORWARD, registry.CUSTOM, registry.PRIMAL, registry.METHODS, registry.ATTRIBUTES, registry.OPERATORS)]
    yield tmp_path
    for table, was in known:
        for key in [k for k in table if table[k] is not was.get(k)]:
            if key in was:
                table[key] = was[key]
            else:
                del table[key]
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], '__file__', None) and str(tmp_path) in sys.modules[name].__file__:
            del sys.modules[name]


def with_blocks(kind):
    return [pytest.param(page, id=page.name) for page in PAGES
            if any(b.kind == kind for b in blocks(page.read_text(encoding='utf-8')))]


@pytest.fixture
def shows(capsys, request):
    """A check that what was printed since the last one is the output that a block shows; or, on request, makes it so."""
    def check(page, block):
        printed = capsys.readouterr().out.rstrip('\n') + '\n'
        if block.output is None:
            return
        if request.config.getoption('--update-docs'):
            text = page.read_text(encoding='utf-8')
            start = text.index(block.text)
            output = text.index('```text\n' + block.output, start) + len('```text\n')
            page.write_text(text[:output] + printed + text[output + len(block.output):], encoding='utf-8')
        else:
            assert printed == block.output, f'{page.name}, line {block.line}'
    return check


@pytest.mark.parametrize('page', with_blocks('python'))
def test_python(page, folder, shows):
    """The blocks run as one file whose line numbers are those of the page."""
    name = f'page_{page.stem.lower()}'
    programs = [b for b in blocks(page.read_text(encoding='utf-8')) if b.kind == 'python']
    lines = []
    for block in programs:
        lines += [''] * (block.line - 1 - len(lines)) + block.text.splitlines()
    path = folder / f'{name}.py'
    path.write_text('\n'.join(lines) + '\n', encoding='utf-8')
    module = sys.modules[name] = types.ModuleType(name)
    module.__file__ = str(path)
    with fake_cupy.installed() if page.stem == 'gpu' else contextlib.nullcontext():
        for block in programs:
            exec(compile('\n' * (block.line - 1) + block.text, path, 'exec'), vars(module))
            shows(page, block)


@pytest.mark.parametrize('page', with_blocks('sh'))
def test_commands(page, folder, shows):
    """The commands of `tangent` in a block run one after the other."""
    for block in blocks(page.read_text(encoding='utf-8')):
        commands = [line for line in block.text.splitlines() if block.kind == 'sh' and line.startswith(COMMAND)]
        for line in commands:
            assert cli.main(shlex.split(line.removeprefix(COMMAND))) == 0, line
        if commands:
            shows(page, block)


def test_links_lead_somewhere():
    for page in PAGES:
        prose = re.sub(r'`[^`\n]+`', '', page.read_text(encoding='utf-8'))          # what looks like a link in code is none
        for link in re.findall(r'\]\(([^)#:]+)\)', prose):
            assert (page.parent / link).exists(), f'{page.name}: {link}'


def unmentioned(names, text):
    return [name for name in names if not re.search(rf'\btangent\.{name}\b', text)]


def test_every_name_is_on_a_page():
    assert unmentioned(tangent.__all__, '\n'.join(p.read_text(encoding='utf-8') for p in PAGES if p.parent.name == 'docs')) == []
    assert unmentioned(['grad', 'vmap'], 'see `tangent.gradient`, and `tangent.vmap(f)`') == ['grad']


def test_ci_runs_the_test_command_of_the_readme():
    commands = [line for b in blocks((ROOT / 'README.md').read_text(encoding='utf-8')) if b.kind == 'sh'
                for line in b.text.splitlines() if 'pytest' in line]
    assert len(commands) == 1
    assert commands[0] in (ROOT / '.ci/run').read_text(encoding='utf-8').splitlines()


def test_the_idea_fits_in_twenty_lines():
    page = (ROOT / 'README.md').read_text(encoding='utf-8')
    function, derivative = blocks(page)[:2]
    assert len((function.text + derivative.text).splitlines()) <= 20


class Tour(NamedTuple):
    """A tour: what stands before the first room, and the words on each room."""
    start: str
    words: dict


def tour(page):
    """The tour of a page, without the texts that the library prints."""
    start, *sections = re.split(r'^## ', page, flags=re.M)
    rooms = {}
    for section in sections:
        name, _, rest = section.partition('\n')
        rooms[name] = rest.split('```py\n')[0].strip()
    return Tour(start.strip(), rooms)


def rooms(log):
    """(room, text) for each part of a log of `verbose=2`; a room entered a second time is "... again"."""
    parts = re.split(r'^# --- (\w+)\n', log, flags=re.M)[1:]
    names = []
    for name in parts[::2]:
        while name in names:
            name += ' again'
        names.append(name)
    return list(zip(names, (text.strip('\n') for text in parts[1::2])))


def written(page, log):
    """The page with the texts of the log, each under the words on its room."""
    old = tour(page)
    sections = [f'## {name}\n\n' + (old.words[name] + '\n\n' if old.words.get(name) else '') + f'```py\n{text}\n```'
                for name, text in rooms(log)]
    return '\n\n'.join([old.start, *sections]) + '\n'


def test_the_tour_is_written_from_the_log():
    page = '# T\n\nhello\n\n## a\n\nthe first\n\n```py\nold\n```\n\n## gone\n\nno more\n'
    log = '# --- a\nx = 1\n\n# --- b\nx = 2\n# --- a\nx = 3\n'
    new = ('# T\n\nhello\n\n## a\n\nthe first\n\n```py\nx = 1\n```\n\n## b\n\n```py\nx = 2\n```\n\n'
           '## a again\n\n```py\nx = 3\n```\n')
    assert written(page, log) == new
    assert written(new, log) == new


def test_the_tour_shows_what_the_library_prints(folder, capsys, request):
    path = ROOT / 'docs/tour.md'
    page = path.read_text(encoding='utf-8')
    (folder / 'tour.py').write_text(blocks(page)[0].text, encoding='utf-8')
    tangent.grad(targets.load('tour.py:f'), verbose=2)
    log = capsys.readouterr().out
    if request.config.getoption('--update-docs'):
        path.write_text(written(page, log), encoding='utf-8')
    assert path.read_text(encoding='utf-8') == written(page, log)
    assert [name for name, words in tour(page).words.items() if not words] == []
