"""The pages of the gallery: each program of examples/gallery with what it prints, its picture, and the text of its gradient.

A program has a docstring whose first line is the title of its page, `main(size=...)`, `picture` of what `main` returns, and
`slope`, made by `tangent.value_and_grad`, which `main` calls.
"""
import ast
import contextlib
import copy
import importlib.util
import io
import pathlib
import sys
import textwrap

import tangent

ROOT = pathlib.Path(__file__).parent.parent
PROGRAMS = {path.stem: path for path in sorted(ROOT.glob('examples/gallery/*.py'))}
HEAD = '''# Gallery

Programs as one writes them with NumPy, and derivatives of them. Each runs as a test, at a small size; pictures, outputs and
gradients on these pages are made when the pages are.
'''
LONG = 60                     # lines of a gradient; a longer one is folded up


class Recorded:
    """A function that keeps the arguments of its first call."""

    def __init__(self, function):
        self.function, self.args = function, None

    def __call__(self, *args):
        self.args = self.args or copy.deepcopy(args)
        return self.function(*args)


def load(name):
    """The program as a module whose `slope` keeps what it was called with first."""
    spec = importlib.util.spec_from_file_location(f'gallery_{name}', PROGRAMS[name])
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)       # dataclasses look for their module there
    spec.loader.exec_module(module)
    module.slope = Recorded(module.slope)
    return module


def title(name):
    return words(name)[0].partition(':')[0].rstrip('.')


def words(name):
    """The paragraphs of the program's docstring, and last how it is started."""
    return ast.get_docstring(ast.parse(PROGRAMS[name].read_text(encoding='utf-8'))).split('\n\n')


def program(name):
    """The text of the program without its docstring."""
    text = PROGRAMS[name].read_text(encoding='utf-8')
    return text.split('"""\n', 1)[1]


def page(name):
    """(the page, the bytes of its picture), by running the program."""
    import matplotlib
    matplotlib.use('Agg')
    module, printed, image = load(name), io.StringIO(), io.BytesIO()
    with contextlib.redirect_stdout(printed):
        found = module.main()
    figure = module.picture(*found)
    figure.savefig(image, format='png', dpi=110)
    matplotlib.pyplot.close(figure)
    gradient = tangent.source(module.slope.function, *module.slope.args).rstrip('\n')
    return '\n'.join(text(name, printed.getvalue(), gradient)), image.getvalue()


def text(name, printed, gradient):
    first, *paragraphs, start = words(name)
    path = PROGRAMS[name].relative_to(ROOT).as_posix()
    question = first.partition(': ')[2]
    yield f'# {title(name)}\n' + (f'\n**{question[0].upper()}{question[1:]}**\n' if question else '')
    yield '\n\n'.join(paragraphs) + '\n'
    yield f'![{title(name)}]({name}.png)\n'
    yield f'```text\n{printed.rstrip()}\n```\n'
    yield f'## The program\n\n`{start.strip()}` starts it.\n\n```python title="{path}"\n{program(name).strip()}\n```\n'
    yield '## Its gradient\n\nThis is what `tangent.source(slope, ...)` shows for the arguments of the first call.\n'
    code = f'```python\n{gradient}\n```\n'
    count = len(gradient.splitlines())
    yield code if count <= LONG else f'??? note "{count} lines"\n\n{textwrap.indent(code, "    ")}'


def index():
    """The page that shows all pictures."""
    rows = [f'-   [![{title(name)}]({name}.png)]({name}.md)\n\n    [{title(name)}]({name}.md)\n' for name in PROGRAMS]
    return '\n'.join([HEAD, '<div class="grid cards" markdown>\n', *rows, '</div>\n'])
