"""Functions with rules of their own: custom_vjp, custom_jvp, checkpoint, hook, stop_gradient, nest_level."""
import numpy as np
import pytest

import tangent
from tangent import checkpoint, custom_jvp, custom_vjp, hook, nest_level, stop_gradient
from tests.tools.checking import assert_close, differences


@custom_vjp
def scaled_sine(x, w=2.0):
    return np.sin(x) * w


def scaled_sine_fwd(x, w=2.0):
    s = np.sin(x)
    return s * w, (x, s, w)


def scaled_sine_bwd(saved, g):          # ten times the derivative, to be seen
    x, s, w = saved
    return 10 * g * np.cos(x) * w, g * s


scaled_sine.defvjp(scaled_sine_fwd, scaled_sine_bwd)


@custom_vjp
def clip_gradient(lo, hi, x):
    return x


clip_gradient = custom_vjp(clip_gradient.function, nondiff_argnums=(0, 1))
clip_gradient.defvjp(lambda lo, hi, x: (x, None), lambda lo, hi, _, g: (np.clip(g, lo, hi),))


@custom_vjp
def unfinished(x):
    return x


@custom_vjp
def badly_counted(x, w):
    return x * w


badly_counted.defvjp(lambda x, w: (x * w, None), lambda _, g: g)


@custom_vjp
def badly_shaped(x):
    return np.sum(x)


badly_shaped.defvjp(lambda x: (np.sum(x), None), lambda _, g: (g,))


@custom_vjp
def half_constant(x, w):
    return x * w


half_constant.defvjp(lambda x, w: (x * w, w), lambda w, g: (g * w, None))


@custom_jvp
def hundredfold(x, y):
    return np.sin(x) * y


@hundredfold.defjvp
def hundredfold_jvp(primals, tangents):
    x, y = primals
    dx, dy = tangents
    return hundredfold(x, y), 100 * np.cos(x) * y * dx + np.sin(x) * dy


@custom_jvp
def by_parts(x, y):
    return np.exp(x) * y


by_parts.defjvps(lambda dx, ans, x, y: 7 * dx * ans, None)


@checkpoint
def block(h, w):
    t = np.tanh(h @ w)
    return t * t


draws = np.random.default_rng(0)


@checkpoint
def noisy(x):
    return x * draws.normal()


def uses_custom(x, w):
    return scaled_sine(x * x, w) + scaled_sine(x)


def in_a_loop(x):
    for _ in range(3):
        x = scaled_sine(x, 0.5)
    return x


def clipped(x):
    return np.sum(clip_gradient(-1.0, 1.0, x) ** 2)


def network(h, ws):
    for i in range(3):
        h = block(h, ws[i])
    return h.sum()


def plain_network(h, ws):
    for i in range(3):
        h = np.tanh(h @ ws[i]) ** 2
    return h.sum()


def uses_jvp(x, y):
    return hundredfold(x * x, y) * x


def uses_both_jvps(x, y):
    return hundredfold(x, y) + by_parts(x, y)


def surgery(x):
    y = stop_gradient(x) * x
    return hook(lambda g: 3 * g, y) * 2


def level(x):
    return x * nest_level()


def test_custom_vjp_replaces_the_derivative():
    x, w = 0.7, 1.5
    gx, gw = tangent.grad(uses_custom, (0, 1))(x, w)
    assert_close(gx, 10 * (np.cos(x * x) * w * 2 * x + np.cos(x) * 2.0))
    assert_close(gw, np.sin(x * x))
    text = tangent.source(tangent.grad(uses_custom))
    assert 'scaled_sine_fwd(t, w)' in text and 'scaled_sine_bwd(' in text


def test_custom_vjp_in_a_loop():
    inner = np.sin(0.9) / 2
    innermost = np.sin(inner) / 2
    assert_close(tangent.grad(in_a_loop)(0.9), 5 ** 3 * np.cos(0.9) * np.cos(inner) * np.cos(innermost))


def test_custom_vjp_is_differentiated_again_through_its_two_passes():
    """The gradient is 10 cos(x) w, so that its derivative is -10 sin(x) w."""
    second = tangent.grad(tangent.grad(lambda x: scaled_sine(x, 3.0)))
    assert_close(second(0.4), -10 * np.sin(0.4) * 3.0)


def test_custom_vjp_is_called_like_the_function():
    assert scaled_sine(0.3) == np.sin(0.3) * 2.0
    assert scaled_sine.__name__ == 'scaled_sine'


def test_gradient_of_the_custom_function_itself():
    assert_close(tangent.grad(scaled_sine)(0.3), 20 * np.cos(0.3))
    assert_close(tangent.grad(hundredfold, 0)(0.3, 2.0), 200 * np.cos(0.3))


def test_arguments_without_a_derivative():
    assert_close(tangent.grad(clipped)(np.array([0.1, 3.0, -4.0])), np.array([0.2, 1.0, -1.0]))


def test_none_is_a_zero():
    def f(x, w):
        return half_constant(x, w) + w
    assert tangent.grad(f, (0, 1))(2.0, 3.0) == (3.0, 1.0)


def test_what_custom_rules_give_is_checked():
    with pytest.raises(tangent.TangentError, match='defvjp'):
        tangent.grad(lambda x: unfinished(x) * 2)(1.0)
    with pytest.raises(TypeError, match='tuple of 2'):
        tangent.grad(lambda x: badly_counted(x, x))(1.0)
    with pytest.raises(ValueError, match=r'shape \(\) for argument 0, which has shape \(3,\)'):
        tangent.grad(lambda x: badly_shaped(x))(np.ones(3))


def test_custom_jvp_is_transposed():
    gx, gy = tangent.grad(uses_jvp, (0, 1))(1.1, 2.0)
    assert_close(gx, 100 * np.cos(1.21) * 2.0 * 2.2 * 1.1 + np.sin(1.21) * 2.0)
    assert_close(gy, np.sin(1.21) * 1.1)


def test_custom_jvp_by_parts():
    gx, gy = tangent.grad(uses_both_jvps, (0, 1))(0.2, 3.0)
    assert_close(gx, 100 * np.cos(0.2) * 3.0 + 7 * np.exp(0.2) * 3.0)
    assert_close(gy, np.sin(0.2))


def test_second_derivative_by_parts():
    second = tangent.grad(tangent.grad(lambda x: by_parts(x, 3.0)))(0.2)
    assert_close(second, 49 * np.exp(0.2) * 3.0)


def test_checkpoint_keeps_only_its_arguments():
    rng = np.random.default_rng(1)
    h, ws = rng.normal(size=(2, 3)), rng.normal(size=(3, 3, 3))
    for mine, right in zip(tangent.grad(network, (0, 1))(h, ws), tangent.grad(plain_network, (0, 1))(h, ws)):
        assert_close(mine, right)
    assert_close(tangent.grad(network)(h, ws), differences(network, (h, ws), (0,))[0])
    forward, backward = tangent.source(tangent.grad(network)).split('# Grad of: for')
    assert '= block(h' in forward and 'block_primal(h' in backward


def test_checkpointed_functions_that_are_not_functions_of_their_arguments():
    with pytest.raises(tangent.TangentError, match='another value'):
        tangent.grad(lambda x: noisy(x) * 1.0)(2.0)


def test_hook_and_stop_gradient(capsys):
    assert tangent.grad(surgery)(2.0) == 3 * 2 * 2.0
    assert surgery(2.0) == 8.0


def test_stop_gradient_gives_a_copy():
    x = np.ones(3)
    assert stop_gradient(x) is not x


def test_nest_level():
    assert level(5.0) == 0.0
    assert tangent.grad(level)(5.0) == 1.0
    assert tangent.grad(tangent.grad(lambda x: x * x * nest_level()))(5.0) == 4.0


def test_a_rule_set_anew_is_followed():
    f = custom_vjp(scaled_sine.function)
    loss = lambda x: f(x, 1.0)  # noqa: E731
    f.defvjp(lambda x, w: (x, None), lambda _, g: (g, None))
    assert tangent.grad(loss)(1.0) == 1.0
    f.defvjp(lambda x, w: (x, None), lambda _, g: (g * 5, None))
    assert tangent.grad(loss)(1.0) == 5.0


@pytest.mark.parametrize('x', [2.0, np.array([-1.0, 2.0]), np.ones(3)])
def test_what_a_forward_pass_or_a_rule_gives_is_a_pair(x):
    """An array of two elements could be taken apart like one, and be wrong."""
    f, g = custom_vjp(lambda x: x * 2), custom_jvp(lambda x: x * 2)
    f.defvjp(lambda x: x * 2, lambda saved, g: (g * saved,))
    g.defjvp(lambda primals, tangents: 2 * tangents[0])
    with pytest.raises(tangent.errors.ArgumentTypeError, match='forward pass of a custom_vjp returned .*a pair'):
        tangent.grad(lambda x: np.sum(f(x)))(x)
    with pytest.raises(tangent.errors.ArgumentTypeError, match='rule of a custom_jvp returned .*a pair'):
        tangent.jvp(lambda x: np.sum(g(x)))(x, x)


@pytest.mark.parametrize('give', [lambda: custom_vjp(np.sin).defvjp(1, np.sin), lambda: custom_jvp(level).defjvp(None),
                                  lambda: custom_jvp(level).defjvps(2.0), lambda: tangent.defvjp(level, 1.0),
                                  lambda: tangent.defjvp_argnum(level, 'a'), lambda: tangent.defvjp(2.0, level),
                                  lambda: tangent.grads.adjoint(2.0)(level), lambda: tangent.grads.adjoint(level)(2.0)])
def test_rules_are_functions_of_functions(give):
    with pytest.raises(tangent.errors.ArgumentTypeError, match='has to be a function'):
        give()


def test_lambdas_can_have_rules_of_their_own():
    assert tangent.grad(tangent.checkpoint(lambda x: np.sin(np.sin(x))))(0.0) == 1.0
    assert tangent.grad(lambda x: (lambda f: f(x) * f(x))(tangent.checkpoint(lambda z: z * z)))(2.0) == 32.0
    f, g = custom_jvp(lambda x: x * 2), custom_vjp(lambda x: x * 2)
    f.defjvp(lambda primals, tangents: (2 * primals[0], 20 * tangents[0]))
    g.defvjp(lambda x: (x * 2, None), lambda saved, g: (g * 20,))
    assert tangent.jvp(f)(1.0, 1.0) == tangent.grad(f)(1.0) == tangent.grad(g)(1.0) == 20.0


@pytest.mark.parametrize('f, x, said', [(lambda g: g[:1], np.ones(3), r'shape \(1,\)'), (lambda g: 'a', 1.0, 'made a str'),
                                        (lambda g: None, np.ones(3), 'made None'), (lambda g: 1.0, np.ones(3), r'shape \(\)')])
def test_what_a_hook_gives_has_the_shape_of_the_gradient(f, x, said):
    """It would be broadcast, and be wrong."""
    with pytest.raises(tangent.TangentError, match=f'the rule of hook made .*{said}|the rule of hook {said}'):
        tangent.grad(lambda x: np.sum(hook(f, x) ** 2))(x)


@custom_vjp
def sine(x):
    return np.sin(x)


sine.defvjp(lambda x: (np.sin(x), x), lambda x, g: (g * np.cos(x),))


def twice_sine(x):
    return sine(x) * 2


def test_a_custom_vjp_has_no_forward_mode_and_says_the_way_out():
    with pytest.raises(tangent.ForwardNotImplementedError, match=r"is a custom_vjp.*modes='rev'.*tangent\.custom_jvp"):
        tangent.check_grads(twice_sine, (0.5,), order=1)
    tangent.check_grads(twice_sine, (0.5,), order=1, modes='rev')


# Functions with a derivative of their own that write into what they are given

@tangent.checkpoint
def scaled_in_place(h, w):
    h *= w
    return w * 1.0


@tangent.custom_vjp
def set_by_vjp(h):
    h[0] = 3.0
    return np.sum(h)


@tangent.custom_jvp
def set_by_jvp(h):
    h[0] = 3.0
    return np.sum(h)


set_by_vjp.defvjp(lambda h: (set_by_vjp(h), None), lambda res, g: (g * np.array([0.0, 1.0]),))
set_by_jvp.defjvp(lambda primals, tangents: (set_by_jvp(primals[0]), tangents[0][1]))
IN_A_LIST = [scaled_in_place, set_by_vjp]


def test_what_a_checkpoint_writes():
    """Nothing is computed again then: it would write once more, and what is written has a gradient of its own."""
    def f(x):
        h = x * 1.0
        s = scaled_in_place(h, x[0])
        return np.sum(h) * s
    x = np.array([0.7, 1.3])
    np.testing.assert_allclose(tangent.grad(f)(x), [2 * x[0] * x.sum() + x[0] ** 2, x[0] ** 2])


def through_vjp(x):
    h = x * 1.0
    return set_by_vjp(h) * h[0]


def through_jvp(x):
    h = x * 1.0
    return set_by_jvp(h) * h[0]


def found_running(x):
    h = x * 1.0
    return IN_A_LIST[1](h) * h[0]


@pytest.mark.parametrize('f', [through_vjp, through_jvp, found_running])
def test_writes_beside_a_derivative_of_its_own(f):
    with pytest.raises(tangent.errors.AliasError, match='let it return what it writes'):
        tangent.grad(f)(np.array([0.7, 1.3]))


def test_a_checkpoint_found_running_that_writes():
    with pytest.raises(tangent.errors.AliasError, match='let it return the value'):
        tangent.grad(lambda x: IN_A_LIST[0](x * 1.0, x[0]))(np.array([0.7, 1.3]))
