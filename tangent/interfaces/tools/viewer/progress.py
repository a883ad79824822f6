"""Bars for what takes more than two seconds, by tqdm, on a terminal's standard error."""
import contextlib
import functools
import shutil
import sys
import threading

PATIENCE = 2.0                 # seconds before anything is to be seen


def bar(steps, what, total=None):
    """The steps, with a bar if they take long; as they are, where there is no terminal or no tqdm."""
    tqdm = shown()
    return steps if tqdm is None else tqdm(steps, desc=what, total=total, delay=PATIENCE)


@contextlib.contextmanager
def waiting(what):
    """A clock while the block runs, of which nobody knows how long it takes."""
    tqdm = shown()
    if tqdm is None:
        yield
        return
    done = threading.Event()

    def ticking():
        if done.wait(PATIENCE):
            return
        with tqdm(desc=what, bar_format='{desc}: {elapsed}') as clock:
            clock.start_t -= PATIENCE
            while not done.wait(0.2):
                clock.refresh()
    thread = threading.Thread(target=ticking, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def shown():
    """tqdm, where somebody looks; terminals that do not say how large they are have 80 columns."""
    if not sys.stderr.isatty():
        return None
    try:
        from tqdm import tqdm
    except ImportError:
        return None
    columns, rows = shutil.get_terminal_size()
    return functools.partial(tqdm, leave=False, file=sys.stderr, ncols=columns - 1, nrows=rows)
