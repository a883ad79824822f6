"""Outside loops a variable does what the tape does."""
import dataclasses

import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.effects import Tape
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.optimize.tape.versions import taken_names


def straight(func):
    """Keep in a variable what is pushed once.

    >>> show(straight, 'push(_s, y, "1"); y = 2; y = pop(_s, "1")')
    y2 = y; y = 2; y = y2
    """
    tape, found = Tape(func), cfg.places(func)
    taken = tree.Names(taken_names(func))
    kept, base, temps = {}, dict(func.base), set(func.temps)
    for key in sorted(tape.pairs):
        push, pop = tape.pushes[key], tape.pops[key]
        if found[push].loops or found[pop].loops:
            continue
        value = tape.push(push)[1]
        old = value.id if isinstance(value, gast.Name) else 't'
        name = taken.fresh(func.base.get(old, old))
        base[name] = func.base.get(old, old)
        if old in func.temps or not isinstance(value, gast.Name):
            temps.add(name)
        kept[push] = tree.assign(name, value, tree.origin(push))
        kept[pop] = tree.replace(pop, value=tree.load(name))
    if not kept:
        return func
    body = rewrite.with_statements(func.tree.body, kept)
    return dataclasses.replace(rewrite.with_body(func, body), base=base, temps=frozenset(temps))
