"""Functions that are known only when running and write into what they are given: in derivatives of tangents, too."""
import pytest

import tangent


def pick(k):
    def bump(xs, x):
        xs[0] = xs[0] * x * k
        return x
    return bump


def by_a_function_made_elsewhere(x):
    xs = [x]
    y = pick(2.0)(xs, x) * x
    return xs[0] * y


def test_what_writes_is_refused_or_right_in_any_order():
    assert tangent.jvp(by_a_function_made_elsewhere)(0.7, 1.0) == pytest.approx(2 * 4 * 0.7 ** 3)
    for derivative in (tangent.grad, lambda f: tangent.grad(tangent.jvp(f))):
        with pytest.raises(tangent.errors.AliasError, match='writes a value with a derivative into'):
            derivative(by_a_function_made_elsewhere)(0.7, 1.0)


RULES = [lambda a: eval('a * a')]


def swallowed_by_a_handler(x):
    try:
        return RULES[0](x) * x
    except Exception:
        return x * 3.0


class Swallows:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True


def swallowed_by_a_context(x):
    y = x
    with Swallows():
        y = RULES[0](x) * x
    return y


@pytest.mark.parametrize('f', [swallowed_by_a_handler, swallowed_by_a_context])
@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_handlers_and_contexts_do_not_hide_what_is_refused(f, derivative):
    with pytest.raises(tangent.errors.TangentParseError, match='eval'):
        derivative(f)(0.7, 1.0)


def deleted(x):
    y = x * x
    z = y * x
    del y
    try:
        return z * y
    except NameError:
        return z * 3.0


def test_handlers_that_tell_whether_a_name_was_deleted_are_refused():
    for derivative in (tangent.grad, tangent.jvp):
        with pytest.raises(tangent.errors.TangentParseError, match='deleted'):
            derivative(deleted)


class Lacks(dict):
    def __missing__(self, key):
        self[key] = 2.0 * key
        return self[key]


def what_is_missing(x):
    d = Lacks()
    d[1] = x
    return d[1] * d[3] * x


def test_dicts_that_make_what_they_lack():
    assert tangent.grad(what_is_missing)(0.7) == pytest.approx(12 * 0.7)
    with pytest.raises(tangent.errors.TangentParseError, match='__missing__'):
        tangent.jvp(what_is_missing)


def view_that_shows_a_change(v):
    d = {'a': v, 'b': v * v}
    values = d.values()
    d['a'] = d['b'] * 2
    return sum(values)


def test_views_that_show_what_has_changed():
    assert tangent.jvp(view_that_shows_a_change)(0.7, 1.0) == pytest.approx(6 * 0.7)
    with pytest.raises(tangent.errors.TangentParseError, match='views of dicts'):
        tangent.grad(tangent.jvp(view_that_shows_a_change))(0.7, 1.0)
