"""How notebooks and IPython show a derivative: they ask objects for `_repr_html_` and the like, functions as well."""
import weakref

FORMS = {'_repr_html_': 'html', '_repr_markdown_': 'markdown', '_ipython_display_': 'printed'}


class Display:
    """What a derivative is asked for as `_repr_html_` and the like; made when it is asked for."""

    def __init__(self, derivative, form):
        self.derivative, self.form = weakref.ref(derivative), form

    def __reduce__(self):                          # of partials, which are pickled with their attributes
        return Display, (self.derivative(), self.form)

    def __call__(self):
        from tangent.interfaces.tools.viewer import view
        return view.shown(self.derivative(), self.form)


def attached(derivative):
    """The derivative itself, which notebooks show from now on as its text beside the function."""
    function = getattr(derivative, '__func__', derivative)
    known = getattr(function, '__dict__', None)
    if known is not None and '_repr_html_' not in known:
        known.update((name, Display(function, form)) for name, form in FORMS.items())
    return derivative
