"""Python in colours, by pygments where that is there, and plain elsewhere."""
import functools
import html
import os
import sys

STYLES = {'light': 'default', 'dark': 'github-dark'}


def painted(text):
    """The text for a terminal."""
    try:
        from pygments import formatters, highlight
    except ImportError:
        return text
    return highlight(text, lexer(), formatters.TerminalFormatter()).rstrip('\n')


def is_wanted(stream=None, choice='auto'):
    """Whether a stream takes colours: 'always', 'never', or as the terminal and the environment say."""
    stream = sys.stdout if stream is None else stream
    return choice == 'always' or choice == 'auto' and stream.isatty() and not os.environ.get('NO_COLOR')


def lines_of_html(text):
    """The lines of the text as HTML."""
    try:
        from pygments import formatters, highlight
    except ImportError:
        return [html.escape(line) for line in text.split('\n')]
    return highlight(text, lexer(), formatters.HtmlFormatter(nowrap=True)).rstrip('\n').split('\n') if text.strip() \
        else text.split('\n')


@functools.lru_cache(maxsize=1)
def lexer():
    from pygments import lexers
    return lexers.PythonLexer(stripnl=False)


def style_sheet():
    """The CSS for the classes of `lines_of_html`, for light pages and dark ones."""
    try:
        from pygments import formatters
    except ImportError:
        return ''
    return '\n'.join(f'/* {name} */\n' + '\n'.join(rules(formatters.HtmlFormatter(style=style), f'[data-theme={name}] '))
                     for name, style in STYLES.items())


def rules(formatter, prefix):
    """Rules for tokens: a page has its own background and its own numbers of lines."""
    return [prefix + line for line in formatter.get_style_defs('.code').splitlines()
            if line.startswith('.code .') and not line.startswith('.code .hll')]
