"""`view`: the user's function and its derivative side by side, as a page, in a notebook and in a terminal."""
import functools
import itertools
import pathlib
import sys

from tangent import errors
from tangent.driver import variants
from tangent.driver.options import Options
from tangent.driver.questions import question_of, wanted
from tangent.driver.ruled_functions import as_function
from tangent.frontend.source import assumed, original, unwrap
from tangent.interfaces.tools.explain import explain
from tangent.interfaces.tools.export import export_source
from tangent.interfaces.tools.viewer import colours, page, progress
from tangent.interfaces.tools.viewer.frame import framed
from tangent.interfaces.tools.viewer.recording import in_mode, recorded


def view(derivative, *args, profile=None):
    """A derivative to look at: the user's function beside it, each line linked to those that were made of it.

    Parameters
    ----------
    derivative : function
        What `tangent.grad`, `value_and_grad`, `vjp`, `jvp`, `autodiff`, `jacobian`, `hessian` or `hvp` returned; of any other
        function its gradient is shown.
    *args
        Arguments of the derivative: its text for these is shown, with what is known of each variable then.
    profile : optional
        What `tangent.profile` returned: the page says of each line what it takes.

    Returns
    -------
    View
        A notebook shows it as it stands; `save('f.html')` writes a page that needs no server and no network, `open()` shows
        that in a browser, `print` writes both texts, coloured in a terminal.

    Raises
    ------
    ArgumentTypeError
        If it is neither a derivative with a text of its own nor a function.
    TangentParseError, SourceError, ReverseNotImplementedError
        As `tangent.grad` does, for functions that have no derivative.

    Examples
    --------
    >>> def f(x):
    ...     return numpy.tanh(x)
    >>> print(tangent.view(tangent.grad(f)))  # doctest: +ELLIPSIS
    f(x) with respect to x ...
    """
    return View(derivative, args, profile)


class View:
    """What `view` returns.

    Attributes
    ----------
    html : str
        The page: switches between the modes and the forms of the text, what each room made, the passes of the optimizer.
    explanation : Explanation
        The user's functions, with what is active, taped and dispatched.
    """

    def __init__(self, derivative, args=(), profile=None, rooms=True):
        if isinstance(derivative, functools.partial):
            derivative, args = derivative.func, ()
        self.derivative, self.args, self.profile, self.rooms = derivative, args, profile, rooms
        self.around = None                   # the text of a Jacobian around the derivative that it calls
        if hasattr(derivative, 'as_text') and not hasattr(derivative, 'py_func'):
            derivative, self.around = derivative.as_text()
        self.func, self.wrt, self.options = asked(derivative, args)
        function, instance = unwrap(original(as_function(self.func)))
        self.names, self.picks = wanted(function, self.wrt, instance is not None)
        self.derived = assumed(function)
        self.users = self.func if self.around is None else innermost(self.func)
        self.function = unwrap(original(as_function(self.users)))[0]
        if self.own.error:
            self.fail()
        if self.around is not None and any(s.filename.startswith(errors.NOT_THE_USERS[0]) for s in self.own.sources):
            name = self.function.__name__
            raise errors.ArgumentError(
                f'{self.derivative.__name__} differentiates a log of what {name} has done, which is no text to be read: see '
                f'tangent.view(tangent.grad({name})), and tangent.explain({name}) for the reason')

    def fail(self):
        """Raise the error that there is, as a derivation of the plain kind does."""
        variants.derivative(self.func, self.wrt, self.options)
        raise errors.ArgumentError(self.own.error)

    def recorded(self, mode, optimized):
        found = recorded(self.derived, self.names, self.picks, in_mode(self.options, mode, optimized), self.rooms)
        return found if self.around is None or found.error else found.within(self.around)

    @functools.cached_property
    def own(self):
        """The Recording of the derivative itself."""
        return self.recorded(self.options.mode, self.options.optimized)

    @functools.cached_property
    def explanation(self):
        try:
            names = tuple(self.names)
            return explain(self.users, names, show=False, args=self.args if self.options.kinds else ())
        except errors.TangentError:               # there is forward mode alone
            return tuple(map(page.plain, self.own.sources))

    @functools.cached_property
    def recordings(self):
        """(mode, optimized) -> Recording."""
        own = self.options.mode, self.options.optimized
        modes = ('reverse', 'forward') if self.around is None else own[:1]
        forms = list(itertools.product(modes, (True, False)))
        return {key: self.own if key == own else self.recorded(*key) for key in progress.bar(forms, 'deriving')}

    @functools.cached_property
    def exported(self):
        """The text of the module that runs on its own, or why there is none."""
        if self.around is None and not isinstance(getattr(self.derivative, 'source', None), str):
            return ''
        try:
            return export_source(self.derivative, *self.args)
        except errors.TangentError as error:
            return f'# {error}'.replace('\n', '\n# ')

    @functools.cached_property
    def html(self):
        return page.of_view(self)

    @property
    def title(self):
        return f'{self.function.__name__} by {", ".join(self.names)}'

    @property
    def text(self):
        """The text of the derivative."""
        return '\n'.join(row.text for row in self.own.rows)

    def save(self, path):
        """Write the page into a file, and return its path."""
        path = pathlib.Path(path)
        path.write_text(self.html, encoding='utf-8')
        return path

    def open(self):
        """Show the page in a browser, from a temporary file."""
        import tempfile
        import webbrowser
        path = self.save(pathlib.Path(tempfile.mkdtemp(prefix='tangent-')) / f'{self.function.__name__}.html')
        webbrowser.open(path.as_uri())
        return path

    def lines(self, paint=lambda text: text):
        """The lines that are printed; each of the derivative's has the number of the user's line in front."""
        for explained in self.explanation:
            yield from [*explained.painted(paint), '']
        numbers = {row.place[0] for row in self.own.rows if row.place}
        for row, text in zip(self.own.rows, paint(self.text).split('\n')):
            number = row.place[1] if row.place and len(numbers) == 1 or row.place and row.role else ''
            yield f'{number:>5} |{"T" if row.role == "tape" else " "}|' + (f' {text}' if row.text else '')

    def __str__(self):
        return '\n'.join(self.lines())

    def __repr__(self):
        return '\n'.join(self.lines(colours.painted)) if colours.is_wanted() else str(self)

    def _repr_html_(self):
        return framed(self.html, self.title, len(self.own.rows))

    def _repr_markdown_(self):
        return f'```python\n{self.text}\n```'


def asked(derivative, args):
    """(function, wrt, options) of what is to be shown."""
    known = getattr(derivative, 'variants', None)
    if known is not None:
        return known.func, known.wrt, variants.options_for(derivative, args) if args else expected(derivative)
    question = question_of(derivative) or question_of(getattr(derivative, '__wrapped__', derivative))
    if question is not None:
        return question
    if not callable(derivative) or hasattr(derivative, 'written_out'):
        raise errors.ArgumentTypeError(f'{derivative!r} has no text of its own: pass what tangent.grad, value_and_grad, vjp, '
                                       'jvp, autodiff, jacobian, hessian or hvp returned, or a function, to see its gradient')
    return asked(variants.derivative(derivative, (0,), Options()), args)


def innermost(func):
    """The function of the user's of which a derivative is one, or a derivative of one."""
    while (known := getattr(func, 'variants', None)) is not None:
        func = known.func
    return func


def expected(derivative):
    """The Options of the text that `tangent.source` shows without arguments."""
    made = variants.expected(derivative)
    question = None if made is derivative else question_of(made)
    return derivative.variants.options if question is None else question[2]


def shown(derivative, form):
    """What is shown of a derivative by itself, without rooms; None where there is no text."""
    if form == 'printed' and 'ipykernel' in sys.modules:
        raise NotImplementedError                      # notebooks ask for HTML next
    try:
        found = View(derivative, rooms=False)
        if form == 'html':
            return framed(page.of_view(found, whole=False), found.title, len(found.own.rows))
        if form == 'markdown':
            return found._repr_markdown_()
        print('\n' + (colours.painted(found.text) if colours.is_wanted() else found.text))
    except errors.TangentError:
        if form == 'printed':
            print(repr(derivative))
    return None
