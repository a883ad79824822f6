"""What `mkdocs build --strict` makes besides the pages in this folder: gallery, API reference, the embedded viewer, examples.

MkDocs calls these functions (`hooks:` in mkdocs.yml). Nothing that they make is written into this folder.
"""
import functools
import importlib
import pathlib
import re
import sys

import numpy as np

ROOT = pathlib.Path(__file__).parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))
gallery, reference, tangent = (importlib.import_module(name) for name in ('docs.gallery', 'docs.reference', 'tangent'))

EXAMPLES = ('mlp', 'rosenbrock', 'rnn_clipping')
WIDE = ('index.md', 'gallery/index.md')
VIEWER = '<!-- the viewer is put here when the site is built -->'
FRAME = ('<iframe src="viewer.html" title="A function beside its derivative" loading="lazy" '
         'style="width: 100%; height: 36rem; border: 0"></iframe>')


def on_config(config):
    """The navigation gets the pages that are made."""
    config.nav += [
        {'Gallery': ['gallery/index.md', *({gallery.title(name): f'gallery/{name}.md'} for name in gallery.PROGRAMS)]},
        {'API reference': [{title: path} for path, (title, _) in made_reference().items()]},
    ]
    return config


def on_files(files, config):
    from mkdocs.structure.files import File
    for path, content in made().items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown, page, **_):
    """What is outside of this folder has pages of its own; the viewer and the pictures have the width of the page."""
    if page.file.src_uri in WIDE:
        page.meta['hide'] = ['toc']
    markdown = markdown.replace(VIEWER, FRAME)
    markdown = markdown.replace('](../examples/gallery)', '](gallery/index.md)')
    markdown = re.sub(r'\]\(\.\./examples/gallery/(\w+)\.py\)', r'](gallery/\1.md)', markdown)
    markdown = re.sub(r'\]\(\.\./examples/(\w+)\.py\)', r'](examples/\1.md)', markdown)
    return re.sub(r'\]\(\.\./(CONTRIBUTING|CHANGELOG)\.md', lambda m: f']({m[1].lower()}.md', markdown)


@functools.cache
def made_reference():
    return reference.pages()


@functools.cache
def made():
    """Path -> content of all that is made, once in a process: `mkdocs serve` asks again after each change."""
    found = {path: text for path, (_, text) in made_reference().items()}
    found['gallery/index.md'] = gallery.index()
    for name in gallery.PROGRAMS:
        found[f'gallery/{name}.md'], found[f'gallery/{name}.png'] = gallery.page(name)
    for name in EXAMPLES:
        text = (ROOT / f'examples/{name}.py').read_text(encoding='utf-8')
        found[f'examples/{name}.md'] = f'# examples/{name}.py\n\n```python\n{text}```\n'
    for name in ('CONTRIBUTING', 'CHANGELOG'):
        text = (ROOT / f'{name}.md').read_text(encoding='utf-8').replace('](CONTRIBUTING.md', '](contributing.md')
        found[f'{name.lower()}.md'] = text.replace('](docs/', '](')
    found['viewer.html'] = viewer()
    return found


def viewer():
    """The page of `tangent.view` for a program of the gallery."""
    slope = gallery.load('heat').slope.function
    return tangent.view(slope, np.zeros(50), np.ones(10)).html
