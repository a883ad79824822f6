"""Objects that one function makes and keeps to itself become variables, one for each of their fields.

    p = Pendulum(x, 0.0)                        p_th = x
                                                p_om = 0.0
    for i in range(n):                          for i in range(n):
        p.step(0.01)              ->                p_th, p_om = step(p_th, p_om, 0.01)
    return p.th                                 return p_th

    def step(self, dt):                         def step(th, om, dt):
        self.om -= dt * np.sin(self.th)             om -= dt * np.sin(th)
        self.th += dt * self.om                     th += dt * om
                                                    return th, om

What the plain form has no words for, an attribute that is bound anew, an operator of a class, is then an assignment or a call
like any other. It is done for all objects of a program or for none, where the text shows each use of them: they are not caught
half written, and have one name. Lists of them become one for each field (`rows`), those of several classes are written one by
one (`mixed`, `several`). Objects that are given (`given`) and dicts (`dicts`) are taken apart, too.

Enters: the `Source` of a function that the plain form refuses. Leaves: one that sees functions beside it (`frontend.nested`).
May import: what `normal` may. Start with: `dissolved`, then `text` (one function), `forms` (what a class is made of).
"""
from tangent.errors import TangentError
from tangent.frontend.nested import NestedSource
from tangent.frontend.resolve import local_names
from tangent.normal.objects.given import held_in
from tangent.normal.objects.owner import Refined, Whole
from tangent.normal.objects.program import Program

TRIES = 40


def dissolved(source, shared, inline, given, through):
    """(the source without objects that need not be, what its text and that of its functions name, whether `inline` would make
    another text), or None where it has none.

    shared : gets the functions that it calls instead
    inline : functions that write into what fields hold, by indices, too, are written where they are called
    given : parameters that are taken apart, see `given_objects`
    through : writes generators out, see `inlined.consumers`
    """
    kept, excluded, inner = set(), set(), held_in(given.values())
    for _ in range(TRIES):
        program = Program(shared, kept, excluded, inner, inline, given, through)
        try:
            whole = program.whole(source)
        except Whole as why:
            if why.name in local_names(source.tree) - kept and why.name in program.found[None]:
                kept.add(why.name)
            elif why.kind not in excluded:
                excluded.add(why.kind)
            else:
                return None
        except Refined as why:
            known = inner.setdefault(why.kind, {})
            if known.setdefault(why.field, why.inner) != why.inner or program.holds(why.inner, why.kind):
                excluded.add(getattr(why.inner, 'kind', why.inner))
                del known[why.field]
        except TangentError:
            return None
        else:
            return made(source, whole, program, given) if whole and not kept and not excluded else None
    return None


def made(source, whole, program, given):
    things = program.named(whole, source)
    more = any(one.text.writes_in_place(True) or one.text.only_asks() for one in program.in_use(whole))
    visible = {**getattr(source, 'visible', {}), **program.register()}
    return NestedSource.of(source, whole, values=source.defaults, keyword_values=source.kwdefaults, visible=visible,
                           apart=True, given=bool(given), copies=bool(program.copied), written=source.tree), things, more
