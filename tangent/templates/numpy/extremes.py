"""`max` and `min` of Python: of two values, of several, or of one sequence."""
from tangent.frontend.quote import Written
from tangent.templates.language.declare import general


def extreme(text):
    """Declare one of them; ties share the gradient."""
    return general(text, Written(_part, 'unextreme balanced_eq share'), forward='push_extreme(y, args, d[args])')


def _part(bound, i):
    count = len(bound['args'].elts)
    if count == 1:
        return 'unextreme(d[y], y, args[0])'
    if count == 2:
        return f'd[y] * balanced_eq(args[{i}], y, args[{1 - i}])'
    return f'd[y] * share(args[{i}], y, args)'
