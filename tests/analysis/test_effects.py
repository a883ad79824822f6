"""What callees write into: which texts are read for it, and how often."""
import colorsys
import contextlib
import functools
import pickle
import types

import tangent
from tangent.analysis import effects
from tangent.driver import derivation, questions
from tangent.driver.dispatch import forward, reverse


def test_the_compiler_is_not_read():
    for function in (forward.pushforward, reverse.pullback, questions.derivative, derivation.Derivation.derive):
        assert not effects.Effects().knows(function), function


def test_functions_of_libraries_are_read_once(monkeypatch):
    read, kept = [], effects.Effects.read
    monkeypatch.setattr(effects.Effects, 'read', lambda self, function: read.append(function) or kept(self, function))
    effects.installed().clear()
    first = effects.Effects().of(colorsys.rgb_to_yiq)
    assert colorsys.rgb_to_yiq in read
    read.clear()
    assert effects.Effects().of(colorsys.rgb_to_yiq) == first and not read


def test_a_rule_makes_them_be_read_again():
    before = effects.Effects().of(colorsys.rgb_to_yiq)
    assert colorsys.rgb_to_yiq in effects.installed()
    tangent.non_differentiable.register_non_differentiable_functions(lambda x: x)
    assert not effects.installed()
    assert effects.Effects().of(colorsys.rgb_to_yiq) == before


def test_what_a_function_does_is_one_record():
    def fills(a, x, keep):
        a[:] = x
        x += 1
        return keep

    found = effects.Effects().of(fills)
    assert found.writes == ('a',) and 'keep' in found.kept and 'a' not in found.kept


def test_what_a_decorator_has_captured_is_read_again():
    """Its file came with Python, but what it calls is the user's, and may call something else the next time."""
    assert effects.stands_below(colorsys.rgb_to_yiq) and not effects.stands_below(contextlib.contextmanager(lambda: None))


def test_what_is_found_of_a_function_that_we_write_is_held_by_it_alone():
    """It dies with the function; a copy and a wrapper, to which Python copies attributes, and what is unpickled find it anew."""
    plain = tangent.grad(lambda x: x * x, optimized=False).variants.of(frozenset())
    effects.Effects().of(plain)
    copy = types.FunctionType(plain.__code__, plain.__globals__, closure=plain.__closure__)
    functools.update_wrapper(copy, plain)
    assert copy.settled is plain.settled and plain.settled
    assert not effects.table_of(copy) and effects.table_of(plain) is plain.settled
    assert pickle.loads(pickle.dumps(plain.settled)) == {}
