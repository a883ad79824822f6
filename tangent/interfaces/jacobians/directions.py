"""Functions that Numba compiles, pushed forward in several directions: eight at a time, by functions that Numba compiles."""
import dataclasses
import functools

from tangent import errors
from tangent.driver import questions, variants
from tangent.driver.options import Options
from tangent.interfaces.jacobians.texts import HELPERS, Fresh, indented, listed, made, title
from tangent.interfaces.linear_maps import completing, is_starred
from tangent.numba import options as compiled

IN_TURN = '''\
{count} = count_directions(({xs}), ({tangents}))
{both} = {push}({args}, {first})
{found} = room_for_{form}s({moved}, {count})
put_{form}({found}, 0, {moved})
for {k} in range({step}, {count}, {step}):
    put_{form}({found}, {k}, {push}({args}, {next}){item})
return {result}
'''
NOT_IN_EIGHTS = ('batched=True of a function that Numba compiles is for functions without defaults and without *args: give '
                 'jit=False')


def parameters(func, wrt):
    """The names of the parameters of a compiled function that the derivative is by, and of all its parameters; else None.

    Functions of `*args` and with defaults are called through Python: what comes last would have no place.
    """
    if compiled.flags_of(func) is None or is_starred(func.py_func) or func.py_func.__defaults__ \
            or func.py_func.__code__.co_kwonlyargcount:
        return None
    names = completing(func.py_func).names
    wanted, picks = questions.wanted(func.py_func, wrt)
    return (wanted, names) if picks is None else None


def eight_pushed(func, wanted, values='none'):
    """The function pushed forward along eight directions at once; None where that cannot be derived.

    Whether Numba compiles it is seen when it does: it calls a function that no other can call. CPython runs another.
    """
    flags = dataclasses.replace(compiled.flags_of(func), inner=True, cache=False)
    if dict(flags.options).get('parallel'):
        return None                          # Numba's parallel loops take numbers apart by kinds that it knows
    options = Options(mode='forward', default=None, batched=True, values=values, target=flags)
    try:
        found = variants.derivative(func, wanted, options)
    except errors.TangentError:
        return None
    if hasattr(found, 'derived'):
        return None
    plain = functools.cache(lambda: variants.derivative(func, wanted, dataclasses.replace(options, target=None)))

    def push(*args):
        return plain()(*args)
    push.source = found.source
    if found.compiled is not found:
        compiled.called_as(push, found.compiled)
    return push


def batched(func, wrt, options):
    """The compiled function pushed forward along any number of directions, eight at a time; one where that does not go."""
    known = parameters(func, wrt)
    if known is None:
        raise errors.ArgumentError(NOT_IN_EIGHTS)
    wanted, names = known
    one = lambda: in_turn(func, wanted, names, questions.for_numba(       # noqa: E731
        func, wanted, dataclasses.replace(options, batched=False), compiled.flags_of(func)), options.values, 'one', '1')
    push = eight_pushed(func, wanted, options.values)
    found = one() if push is None else otherwise(in_turn(func, wanted, names, push, options.values, 'eight', '8'), one)
    plain = dataclasses.replace(options, target=None, verbose=0)
    getattr(found, 'py_func', found).written_out = lambda: variants.derivative(func, wrt, plain).written_out()
    return found


def in_turn(func, wanted, names, push, values, form, step):
    """The function that calls `push` for some directions after the other."""
    fresh = Fresh(names)
    tangents = [fresh('d' + x) for x in wanted]
    along = lambda k: ', '.join(f'{form}_of({x}, {d}, {k})' for x, d in zip(wanted, tangents))  # noqa: E731
    words = {name: fresh(name) for name in ('count', 'moved', 'found', 'k')}
    value = fresh('y') if values == 'after' else None
    words['push'] = fresh('push', push)
    text = IN_TURN.format(
        xs=listed(wanted), tangents=listed(tangents), args=', '.join(names), form=form, step=step,
        first=along('0'), next=along(words['k']),
        both=words['moved'] + (f', {value}' if value else ''), item='[0]' if value else '',
        result=words['found'] + (f', {value}' if value else ''), **words)
    name = title('jvp', func)
    return made(f'def {name}({", ".join([*names, *tangents])}):\n{indented(text)}', name, func, {**fresh.things, **HELPERS})


def otherwise(dispatcher, make):
    """The dispatcher, which compiles another function where Numba does not compile its own."""
    kept = functools.cache(make)
    function = getattr(dispatcher, 'py_func', dispatcher)
    if getattr(compiled.flags_of(dispatcher), 'cache', False):
        kept()                                   # what machine code on disk names has to be there
    function.retyped = lambda args: getattr(kept(), 'py_func', kept())
    return dispatcher
