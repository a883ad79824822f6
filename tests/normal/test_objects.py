"""Objects that a function keeps to itself become variables: values and gradients, the form of the text, what has changed since."""
import inspect

import pytest

import tangent
from tests.eventlog.test_called_again import CHANGES, PARTICLE, agrees, module
from tests.normal import object_programs
from tests.tools.checking import differences

PROGRAMS = [f for name, f in vars(object_programs).items() if inspect.isfunction(f) and f.__module__ == object_programs.__name__
            and list(inspect.signature(f).parameters) == ['x'] and name not in ('mk', 'pair')]
X = 0.7
# Objects that are more than their fields: aliased and changed, in containers, caught half written, given away
WHOLE = frozenset('''with_try with_short with_augsame with_pass with_ret with_arralias with_cond
    with_ctx with_closure with_latehas with_lateloop with_is with_inst with_bound with_map with_unb with_star
    with_param changed_under_another_name added_to_what_is_replaced added_to_what_changes shared_parts swapped_objects
    another_name_bound_anew another_name_changed gone_through conditional_names
    net treef pairs_of_objects operators duals_in_functions given_to_inner
    made_once_more left_of_it_is_another a_subclass_is_asked_first given_to_a_function_inside_and_back
    two_at_once two_names_at_once polynomial filled_again filled_again_by_the_holder
    made_once_more_where_it_is_written of_two_classes classes_that_are_given disguised
    by_the_class_above swapped_in_a_line read_by_a_function_in_a_line'''.split())


@pytest.mark.parametrize('k', range(len(PROGRAMS)), ids=[f.__name__ for f in PROGRAMS])
def test_right(k, in_turn):
    """Every fourth in its unoptimized text, too; all with `--all-samples`."""
    f = PROGRAMS[k]
    right = pytest.approx(float(differences(f, (X,), (0,))[0]), rel=1e-5, abs=1e-7)
    df = tangent.grad(f, preserve_result=True)
    for _ in range(4):                                                # another text is called from the third time on
        assert df(X) == (right, pytest.approx(f(X)))
    for optimized in in_turn([False, True, True, True], k):
        assert optimized or tangent.grad(f, optimized=False)(X) == right
    assert tangent.jvp(f)(X, 1.0) == right
    assert ('_grads' in tangent.source(df, X)) == (f.__name__ in WHOLE)


TWICE = [object_programs.plant, object_programs.state, object_programs.vec, object_programs.duals, object_programs.rec,
         object_programs.turned_in_a_loop, object_programs.by_class_methods]


@pytest.mark.parametrize('f', TWICE, ids=lambda f: f.__name__)
def test_twice(f):
    df = tangent.grad(f)
    right = pytest.approx(float(differences(df, (X,), (0,))[0]), rel=1e-5)
    assert tangent.grad(df)(X) == right
    assert tangent.grad(lambda x: tangent.jvp(f)(x, 1.0))(X) == right


def test_text():
    """As a person would write it."""
    text = tangent.source(tangent.grad(object_programs.osc), X)
    assert 'o_v, o_x' in text or 'o_x, o_v' in text
    assert text.count('\n') < 50


ALONE = PARTICLE.replace('handed_on(Particle(x, 0.0))', 'Particle(x, 0.0)')                 # which nobody else sees


@pytest.mark.parametrize('name', CHANGES)
def test_changed(name):
    made = module(ALONE)
    df = tangent.grad(made.loss, wrt=(0, 1))
    assert '_grads' not in tangent.source(df)
    agrees(made, df, 0.7, 1.3)
    CHANGES[name](made)
    for args in (0.7, 1.3), (0.9, 1.1), (0.9, 1.1):
        agrees(made, df, *args)
