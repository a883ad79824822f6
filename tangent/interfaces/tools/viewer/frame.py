"""What all pages have: style, colours and theme in one file that needs nothing else."""
import html
import importlib.resources
import json
import re

from tangent.interfaces.tools.viewer import colours

FRAME = ('<iframe title="{title}" srcdoc="{page}" sandbox="allow-scripts" style="width: 100%; height: {height}px; border: 0">'
         '</iframe>')


def written(title, body, script='', data=None):
    """A page that needs nothing else."""
    known = {'title': html.escape(title), 'style': static('view.css') + colours.style_sheet(), 'body': body,
             'script': script, 'data': embedded(data), 'theme': static('theme.js')}
    return re.sub(r'@(\w+)@', lambda m: known.get(m[1], m[0]), static('page.html'))


def embedded(data):
    """JSON that may stand inside a script element, whatever the user's text holds."""
    return json.dumps(data, separators=(',', ':')).replace('<', '\\u003c').replace('\u2028', '\\u2028')


def static(name):
    return (importlib.resources.files(__package__) / 'static' / name).read_text(encoding='utf-8')


def framed(text, title, lines):
    """A page inside the page of a notebook, which keeps its style and script to itself."""
    return FRAME.format(title=html.escape(title), page=html.escape(text), height=min(max(240, 22 * lines + 180), 720))
