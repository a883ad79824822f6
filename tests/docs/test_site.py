"""The site of the documentation: every page is in its navigation, every name on a page, every link leads to a heading."""
import logging
import re

import pytest

import tangent
from docs import gallery, reference
from tests import ROOT

CONFIG = (ROOT / 'mkdocs.yml').read_text(encoding='utf-8')
PAGES = sorted(ROOT.glob('docs/*.md'))
BUILD = 'mkdocs build --strict'


def anchors(page):
    """The anchors of a page's headings, as Python-Markdown makes them, where there are no two alike."""
    prose = re.sub(r'^```.*?^```$', '', page, flags=re.M | re.S)
    headings = (re.sub(r'\]\([^)]*\)', '', heading) for heading in re.findall(r'^#+ (.*)$', prose, re.M))
    return {re.sub(r'[-\s]+', '-', re.sub(r'[^\w\s-]', '', heading).strip().lower()) for heading in headings}


def test_every_page_is_in_the_navigation():
    named = re.findall(r'[\w/]+\.md', CONFIG[CONFIG.index('\nnav:'):])
    assert len(named) == len(set(named))
    assert {path.name for path in PAGES} == {name for name in named if '/' not in name} - {'contributing.md', 'changelog.md'}


def test_links_lead_to_headings():
    assert anchors('# A `b`: c!\n```sh\n# d\n```\n## [e](f.md)') == {'a-b-c', 'e'}
    for path in [*PAGES, ROOT / 'README.md', ROOT / 'CONTRIBUTING.md', ROOT / 'CHANGELOG.md']:
        for page, anchor in re.findall(r'\]\(([\w./]*)#([^)]+)\)', path.read_text(encoding='utf-8')):
            target = path.parent / page if page else path
            assert anchor in anchors(target.read_text(encoding='utf-8')), f'{path.name}: {page}#{anchor}'


def test_every_name_has_an_entry_of_the_reference():
    text = '\n'.join(text for _, text in reference.pages().values())
    listed = re.findall(r'^#+ tangent\.(\w+)(?: |$)|^\[\]\(\){ #tangent\.(\w+) }$', text, re.M)
    assert sorted(map(''.join, listed)) == tangent.__all__
    assert len(reference.groups()) == len(reference.TITLES)
    assert all(f'{{ #tangent.func.{name} }}' in text for name in tangent.func.__all__)


def test_what_has_two_names_is_described_once():
    text = '\n'.join(text for _, text in reference.pages().values())
    homes = re.findall(r'^::: (\S+)$', text, re.M)
    assert len(homes) == len(set(homes)) > len(tangent.__all__)
    assert 'The same as [`tangent.checkpoint`][tangent.interfaces.custom.checkpoint]' in text


def test_the_command_is_named():
    for name in ('README.md', 'CONTRIBUTING.md'):
        assert BUILD in (ROOT / name).read_text(encoding='utf-8')


def test_the_site_builds(tmp_path, monkeypatch):
    """In strict mode, where a warning is an error; the programs of the gallery, which have tests of their own, are not run."""
    config = pytest.importorskip('mkdocs.config')
    commands = pytest.importorskip('mkdocs.commands.build')
    for package in ('material', 'mkdocstrings_handlers.python', 'matplotlib'):
        pytest.importorskip(package)
    monkeypatch.setattr(gallery, 'page', lambda name: (f'# {gallery.title(name)}\n\n![{name}]({name}.png)\n', b''))
    monkeypatch.setenv('NO_MKDOCS_2_WARNING', '1')
    monkeypatch.setattr(logging.getLogger('mkdocs'), 'level', logging.WARNING)
    commands.build(config.load_config(str(ROOT / 'mkdocs.yml'), site_dir=str(tmp_path), strict=True))
    landing = (tmp_path / 'index.html').read_text(encoding='utf-8')
    assert '<iframe src="viewer.html"' in landing
    assert 'cost' in (tmp_path / 'viewer.html').read_text(encoding='utf-8')
    found = (tmp_path / 'search/search_index.json').read_text(encoding='utf-8')
    assert 'tangent.value_and_grad' in found and all(gallery.title(name) in found for name in gallery.PROGRAMS)


def test_the_picture_of_the_viewer_is_what_the_viewer_shows(request):
    pytest.importorskip('pygments')
    from docs import viewer_picture
    if request.config.getoption('--update-docs'):
        viewer_picture.PICTURE.write_text(viewer_picture.picture(), encoding='utf-8')
    assert viewer_picture.PICTURE.read_text(encoding='utf-8') == viewer_picture.picture(), 'python -m docs.viewer_picture writes it'
    assert '](docs/viewer.svg)' in (ROOT / 'README.md').read_text(encoding='utf-8')
