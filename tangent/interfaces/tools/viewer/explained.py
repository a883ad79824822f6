"""An explanation as a page: a table for each function, without a script."""
import html

from tangent.interfaces.tools.viewer import colours
from tangent.interfaces.tools.viewer.frame import static, written


def page(explanation):
    """The page of an Explanation: static HTML."""
    body = ''.join(map(explained_html, explanation))
    return written(f'{explanation[0].name}, line by line', f'<main class="explained">{body}{static("legend.html")}</main>')


def explained_html(explained):
    """One function of an explanation as a table."""
    head, *facts = (html.escape(line.strip()) for line in explained.head)
    rows = ''.join(
        f'<tr class="{"active" if line.active else "passive"}"><td class="number">{line.number}</td>'
        f'<td class="flags">{flags_html(line)}</td><td class="code">{text}</td>'
        f'<td class="note">{html.escape(line.note)}</td></tr>'
        for line, text in zip(explained.lines, colours.lines_of_html(explained.text)))
    about = ''.join(f'<li>{fact}</li>' for fact in facts)
    return f'<section><h2>{head}</h2><ul class="facts">{about}</ul><div class="scroll"><table>{rows}</table></div></section>'


def flags_html(line):
    return ''.join(f'<span class="flag {flag}">{flag}</span>' if flag.strip() else '<span class="flag"> </span>'
                   for flag in line.flags)
