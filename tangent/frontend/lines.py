"""Where the lines of a function are: in its file, or wherever else Python has left them.

    python -c 'text'        among the arguments of the process
    the prompt              in linecache (Python 3.13), before that in the history of readline
    python < script         in the file that standard input is
    frozen, zipped          behind the loader of the module
    sent by cloudpickle     in the file of the module: classes of a script that a cluster in the same process has been sent

What is found is compared with the code that is loaded (see `source`), so that a wrong guess is none.
"""
import inspect
import linecache
import os
import stat
import sys

SENT = '<dynamic-code>'
LONGEST = 2000            # lines of history that are looked through


def candidates(function):
    """Texts, as lists of lines, that the function may stand in, the likeliest first."""
    code = function.__code__
    try:
        lines, _ = inspect.findsource(function)
    except (OSError, TypeError, SyntaxError, UnicodeDecodeError, IndexError):
        lines = []
    if code.co_filename.startswith('<frozen') or code.co_filename == SENT:      # its module may say another: `collections.abc`
        lines = linecache.getlines(function.__globals__.get('__file__') or '') or lines
    if code.co_filename == '<string>' and code.co_name.strip('<>') not in ''.join(lines):
        lines = []                         # the text that some other `exec` or `python -c` ran
    if lines:
        yield lines
        return
    yield from filter(None, (loaded(function), *others(function)))


def others(function):
    name, main = function.__code__.co_filename, sys.modules.get('__main__')
    if main is None or function.__globals__ is not vars(main):
        return
    if name == '<string>':
        yield command()
    if name == '<stdin>':
        yield standard_input()
        yield from history()


def loaded(function):
    """The lines that the loader of the module has, or the file that a frozen module comes from."""
    module = sys.modules.get(function.__module__)
    path = getattr(module, '__file__', None) if function.__code__.co_filename.startswith('<frozen') else None
    if path and path.endswith('.py'):
        return linecache.getlines(path)
    loader = getattr(getattr(module, '__spec__', None), 'loader', None)
    try:
        text = loader.get_source(module.__spec__.name) if hasattr(loader, 'get_source') else None
    except (ImportError, OSError, SyntaxError):
        text = None
    return (text or '').splitlines(True)


def command():
    """The lines of `python -c`."""
    given = iter(sys.orig_argv[1:])
    for arg in given:
        if arg.startswith('--') or not arg.startswith('-'):
            return []
        flags, found, text = arg[1:].partition('c')
        if found and flags.isalpha() or found and not flags:
            return (text or next(given, '')).splitlines(True)
        if arg in ('-W', '-X'):
            next(given, None)
    return []


def standard_input():
    """The lines of the file that standard input is, where it is one."""
    try:
        state = os.fstat(0)
        text = os.pread(0, state.st_size, 0) if stat.S_ISREG(state.st_mode) else b''
    except (OSError, AttributeError):
        return []
    return text.decode(errors='replace').splitlines(True)


def history():
    """The statements that were typed at the prompt, the last one first: each begins with line 1, as its code says."""
    readline = sys.modules.get('readline')
    if readline is None:
        return
    count = readline.get_current_history_length()
    typed = [readline.get_history_item(k) or '' for k in range(max(1, count - LONGEST), count + 1)]
    for k in range(len(typed) - 1, -1, -1):
        if typed[k][:1] in ('', ' ', '\t') or k and typed[k - 1].startswith('@'):
            continue
        end = k + 1
        while end < len(typed) and (typed[end][:1] in ('', ' ', '\t', ')', ']', '}') or typed[end - 1].startswith('@')):
            end += 1
        yield [f'{line}\n' for line in typed[k:end]]


def way_out(function):
    """What to do where the lines are nowhere."""
    code = function.__code__
    path = code.co_filename
    if path == '<stdin>':
        return 'what is typed at this prompt, or piped, is not kept: define it in a file, or use a prompt with a history ' \
            '(IPython, Python 3.13, or `import readline` first)'
    if path.startswith('<'):
        return 'define it in a file or a notebook cell; for text run with exec, put its lines in linecache.cache under ' \
            'the file name given to compile'
    return f'{path} is not there, or is no text: keep the .py file beside what is compiled of it, or give the function a ' \
        'derivative with tangent.custom_vjp'
