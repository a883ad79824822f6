"""The corridor for the log form: the pair of emitted functions, and what calls them from outside."""
import dataclasses

import gast
import numpy as np

from tangent import errors
from tangent.analysis import complexity
from tangent.analysis.alias import writes_no_array
from tangent.analysis.effects import Effects
from tangent.analysis.fences.as_written import refuse_as_written
from tangent.analysis.messages import communication
from tangent.driver import restarts
from tangent.driver.made import Made
from tangent.driver.results import documented, returned
from tangent.emit import naming
from tangent.emit.library import find
from tangent.emit.signature import forward_call, params, part_of, plain_arguments, unstarred, with_seed
from tangent.eventlog.statements import Circumstances, logged
from tangent.frontend import subset, tree
from tangent.frontend.nested import Nested
from tangent.frontend.scopes import free
from tangent.frontend.source import is_derivative, takes_from_tape
from tangent.normal.desugar import desugar, handed, stars
from tangent.normal.entry import apart_outside, trip_counts
from tangent.normal.normalise import placed
from tangent.normal.outlined.loops import apart

SEED = tree.Origin('seed')
PRIMAL = tree.Origin('primal')
TAPE = tree.Origin('tape')


def derive_logged(derivation, source, wanted, free, whole=False, cut=True):
    """(primal, adjoint) functions of the log form for calls from another log form; `whole` as `unstar` says."""
    names = restarts.in_complex_form(derivation, lambda: logged_pair(derivation, source, wanted, free, called=True, cut=cut))
    if whole:
        unstar(derivation)
    made = derivation.build(names[0])
    return made[names[0]], made[names[1]]


def logged_pair(derivation, source, wanted, free=(), kinds=('primal', 'adjoint'), called=False, cut=False,
                given=None):
    """Names of the emitted pair, which are added to what is made.

    given : parameter -> kind, where kinds are known
    """
    twin = [derivation.function_name(f'{naming.title(source.name)}_{kind}', source) for kind in kinds]
    if takes_from_tape(source.function) and any(map(is_derivative, communication.called_for_messages(source))):
        raise errors.ReverseNotImplementedError(f'{source.name} is a derivative with messages that is differentiated in the '
                                                'log form, which would not send all of theirs back: take tangent.hvp')
    source = dataclasses.replace(source, sight=derivation.shared.settings.classes)
    source = communication.resolved(source, derivation.shared)
    own, effects = source.tree, Effects(sight=derivation.shared.settings.classes)
    source = handed.called(source, effects, (*wanted, *free))
    refuse_as_written(source, (*wanted, *free), effects)
    source, known = apart(source, getattr(source, 'visible', {}), (*wanted, *free), derivation.shared, effects)
    known = {name: thing for name, thing in known.items() if not isinstance(thing, Nested)}
    subset.check(source, logged=True)
    source = stars.spelled_out(source)
    complexity.look(source, derivation.shared)
    made = desugar(source, placed(source), derivation.shared, effects, None, known, logged=True)
    form, primal, adjoint = logged(source, made, wanted, free, derivation.shared, twin,
                                   Circumstances(called, cut, (given, derivation.program) if given else None))
    derivation.made += [Made(primal, source, part_of(twin[0], source)),
                        Made(adjoint, source, part_of(twin[1], source)._replace(defaults=None, kwdefaults=None))]
    derivation.remember(form)
    derivation.escaping[own] = form.escaping()
    derivation.forms[twin[0]] = form
    return twin


def unstar(derivation):
    """Let the forward pass made last take `*args` and `**kwargs` as they are: gradients know them by identity."""
    made = derivation.made[-2]
    made.tree = tree.replace(made.tree, args=unstarred(made.tree.args))


def logged_joint(derivation, source, wrt, name):
    """The derivative asked for, as a driver of the pair."""
    forward, backward = logged_pair(derivation, source, wrt, given=derivation.given(derivation.options.kinds, wrt))
    unstar(derivation)
    copied = written_only(derivation.forms[forward], params(source.tree))
    options = derivation.options
    taken = tree.Names({*params(source.tree), *free(source.tree), forward, backward})
    seed = taken.fresh(naming.seed(source) if options.motion == 'joint' else 'init_grad')
    value = taken.fresh(naming.result(source))
    log, grads = taken.fresh(derivation.forms[forward].tape), taken.fresh('_grads')
    call = forward_call(forward, unstarred(source.tree.args))
    call = tree.replace(call, args=[tree.load(log), *call.args])
    form = derivation.forms[forward]
    body = apart_outside(source.tree, form.effects.of(source.function), form.resolver, form.effects, taken.taken,
                         lambda helper, *args: library_call(derivation, helper, taken, *args))
    body += [tree.assign(p, library_call(derivation, 'copy', taken, tree.load(p)), PRIMAL) for p in copied]
    apart, look = each_apart(derivation, source, forward, taken)
    body += apart
    left = derivation.forms[forward].left(wrt)
    kept = taken.fresh('_kept') if left else None
    if left:
        given = [gast.Tuple(elts=[tree.load(n) for n in names], ctx=gast.Load()) for names in (left, wrt)]
        body.append(tree.assign(kept, library_call(derivation, 'Kept', taken, *given), PRIMAL))
    body += [tree.assign(log, gast.List(elts=[], ctx=gast.Load()), TAPE), tree.assign(value, call, PRIMAL)]
    body += look + ([told(kept, 'look', PRIMAL)] if left else [])
    result = tree.load(value)
    aux = None
    if options.aux:
        body.append(tree.assign(value, library_call(derivation, 'check_pair', taken, tree.load(value)), PRIMAL))
        aux = gast.Subscript(value=tree.load(value), slice=tree.constant(1), ctx=gast.Load())
    if options.values != 'none' or options.aux:
        body.append(tree.assign(value, library_call(derivation, 'copy', taken, tree.load(value)), PRIMAL))
    body += logged_check(derivation, result, seed, taken)
    given = tree.load(seed)
    if options.first:
        given = library_call(derivation, 'first_seed', taken, result, given)
    body.append(tree.assign(grads, library_call(derivation, 'Gradients', taken), SEED))
    found, call = called_back(derivation, wrt, forward, tree.call(backward, tree.load(grads), tree.load(log), given), taken)
    body.append(call)
    form = 'result_in_complex' if derivation.shared.settings.in_complex else 'result'
    table = gast.Attribute(value=tree.load(grads), attr=form, ctx=gast.Load())
    gradients = [gast.Call(func=table, args=[tree.load(n) for n in (p, found.get(p)) if n], keywords=[]) for p in wrt]
    if options.nan_safe:
        gradients = [library_call(derivation, 'zeros_forgotten', taken, g) for g in gradients]
    body += [told(kept, 'leave', SEED)] if kept else []
    value = returned(gradients, result, options, derivation.picks, aux)
    body.append(tree.place(gast.Return(value=value), tree.Origin('return')))
    function = tree.replace(source.tree, name=name, args=with_seed(source.tree.args, seed, options.default), body=body,
                            decorator_list=[], returns=None)
    return Made(documented(function, source, wrt, options.kinds), source, part_of(name, source, True, options.default, seed))


def called_back(derivation, wrt, forward, call, taken):
    """(parameter -> the name of its gradient, where that is not in the table alone; the call of an adjoint as a statement)."""
    found = {p: taken.fresh('b' + p) for p in wrt if not derivation.forms[forward].tabled(p)}
    return found, tree.assign(tree.targets(*found.values()), call, SEED) if found else tree.place(gast.Expr(value=call), SEED)


def logged_check(derivation, result, seed, taken):
    options = derivation.options
    if not options.check_dims:
        return []
    cost = library_call(derivation, 'cost', taken, result) if options.first else result
    if derivation.shared.settings.in_complex and not options.ones:
        helper = 'check_real' if options.scalar else 'conjugated'
        return [tree.assign(seed, library_call(derivation, helper, taken, cost, tree.load(seed)), SEED)]
    helper = 'unbroadcast' if options.ones else 'check_number' if options.scalar else 'check_dims'
    args = [tree.load(seed), cost] if options.ones else [cost, tree.load(seed)]
    return [tree.assign(seed, library_call(derivation, helper, taken, *args), SEED)]


def library_call(derivation, helper, taken, *args):
    name = taken.fresh(helper)
    taken.taken.discard(name)
    derivation.shared[name] = find(helper, derivation.shared.settings.in_complex)
    return tree.call(name, *args)


def logged_twin(derivation, source, wanted, names, kinds=()):
    """Adapters that give the pair of a log form the manners of other twins: (value, saved), then (seed, saved)."""
    given = derivation.given(kinds, wanted)
    forward, backward = logged_pair(derivation, source, wanted, (), ('forward', 'backward'), given=given)
    unstar(derivation)
    derivation.logged.add(names[0])
    taken = tree.Names({*params(source.tree), *free(source.tree), forward, backward, *names})
    log, value, saved = taken.fresh(derivation.forms[forward].tape), taken.fresh(naming.result(source)), taken.fresh('saved')
    seed, grads = taken.fresh(naming.seed(source)), taken.fresh('_grads')
    call = forward_call(forward, unstarred(source.tree.args))
    call = tree.replace(call, args=[tree.load(log), *call.args])
    kept = gast.Tuple(elts=[tree.load(n) for n in (log, *wanted)], ctx=gast.Load())
    apart, look = each_apart(derivation, source, forward, taken)
    if undoes(derivation.made[-1].tree):    # what the caller holds stays as it is when the writes are undone
        call = library_call(derivation, 'copy', taken, call)
    body = [*apart, tree.assign(log, gast.List(elts=[], ctx=gast.Load()), TAPE), tree.assign(value, call, PRIMAL), *look,
            tree.place(gast.Return(value=gast.Tuple(elts=[tree.load(value), kept], ctx=gast.Load())),
                                 tree.Origin('return'))]
    primal = tree.replace(source.tree, name=names[0], body=body, decorator_list=[], returns=None)
    unpack = tree.assign(gast.Tuple(elts=[tree.store(n) for n in (log, *wanted)], ctx=gast.Store()), tree.load(saved), SEED)
    found, call = called_back(derivation, wanted, forward, tree.call(backward, *map(tree.load, (grads, log, seed))), taken)
    table = gast.Attribute(value=tree.load(grads), attr='taken', ctx=gast.Load())
    gradients = [gast.Call(func=table, args=[tree.load(n) for n in (p, found.get(p)) if n], keywords=[]) for p in wanted]
    result = gradients[0] if len(gradients) == 1 else gast.Tuple(elts=gradients, ctx=gast.Load())
    back = [unpack, tree.assign(grads, library_call(derivation, 'Gradients', taken), SEED),
            call,
            tree.place(gast.Return(value=result), tree.Origin('return'))]
    adjoint = tree.replace(source.tree, name=names[1], args=plain_arguments([seed, saved]), body=back, decorator_list=[],
                           returns=None)
    return [Made(primal, source, part_of(names[0], source)),
            Made(adjoint, source, part_of(names[1], source)._replace(defaults=None, kwdefaults=None))]


def told(name, method, origin):
    """The statement `name.method()`."""
    return tree.place(gast.Expr(value=tree.method(tree.load(name), method)), origin)


def written_only(form, names):
    """Parameters whose arrays are written into, but have no derivative, so that no adjoint takes the writes back."""
    return [p for p in written_into(form, names) if p not in form.varied]


def written_into(form, names):
    """Parameters whose arrays are written into."""
    aliases = form.aliases
    written = {aliases.find(n) for s, n in aliases.writes + aliases.updates if not writes_no_array(s, form.resolver)}
    return [p for p in names if aliases.find(p) in written]


def each_apart(derivation, source, forward, taken):
    """The statements by which each argument has an array of its own, and those behind the forward pass, if it may write into
    one: what two arguments have together has one gradient in the table."""
    args, no_arrays = source.tree.args, without_arrays(source.tree, derivation.forms[forward].resolver)
    names = [a.id for a in (*args.posonlyargs, *args.args, *args.kwonlyargs) if a.id not in no_arrays]
    stars = {a.id: star for a, star in ((args.vararg, '*'), (args.kwarg, '**')) if a is not None}
    names += stars
    if len(names) < 1 + (not stars):
        return [], []
    loads = [tree.load(n) for n in names]
    written = written_into(derivation.forms[forward], names)
    if not written and not stars:
        return [tree.assign(tree.targets(*names), library_call(derivation, 'each_its_own', taken, *loads), PRIMAL)], []
    apart, told_as = taken.fresh('_apart'), ', '.join(stars.get(n, '') + n for n in names)
    made = library_call(derivation, 'Apart', taken, tree.constant(told_as), *loads)
    own = gast.Attribute(value=tree.load(apart), attr='arguments', ctx=gast.Load())
    body = [tree.assign(apart, made, PRIMAL), tree.assign(tree.targets(*names), own, PRIMAL)]
    if len(names) == 1:
        body[1] = tree.assign(names[0], gast.Subscript(value=own, slice=tree.constant(0), ctx=gast.Load()), PRIMAL)
    return body, [told(apart, 'look', PRIMAL)] if written else []


def undoes(backward):
    """Whether a backward pass may take writes back on its way, its own or those of what it called."""
    return any(isinstance(n, gast.Attribute) and n.attr.startswith(('undo', 'back')) for n in tree.walk(backward))


def without_arrays(function, resolver):
    """Names that surely hold no array: they say how often a loop runs, are called, or have attributes that no array has."""
    nodes = tree.walk(function)
    others = [n.func for n in nodes if isinstance(n, gast.Call)]
    others += [n.value for n in nodes if isinstance(n, gast.Attribute) and not hasattr(np.ndarray, n.attr)]
    return trip_counts(function, resolver) | {e.id for e in others if isinstance(e, gast.Name)}
