"""Every sample of the rule tables once through the whole library: values, dtypes, and whose memory a gradient is."""
import importlib.util
import math
import operator
import re
import sys

import gast
import numpy
import pytest

import tangent
from tangent import errors, tree
from tests.rule_samples import SAMPLES, pool
from tests.test_rules import gradients, parts

PASSIVE = {'k': [True, False, True], 'idx': [0, 2, 0], 'grid': [0.0, 1.0, 2.5, 4.0]}
MODULES = {'numpy': numpy, 'math': math, 'operator': operator}
UFUNC_METHOD = re.compile(r'numpy\.\w+\.(reduce|accumulate|outer)\(')      # refused where they are not resolved


def names_of(text):
    return sorted(set(tree.names(tree.expression(text), gast.Load)) & set(pool()) - set(PASSIVE))


def program(k, text):
    """A function of the sample's variables, with one number as its result."""
    value = eval(text, {**pool(), **MODULES})
    total = 'numpy.sum(numpy.real(y))'
    if isinstance(value, (list, tuple)) and text.startswith('numpy'):
        total = ' + '.join(f'numpy.sum(y[{j}])' for j in range(len(value)))
    elif isinstance(value, list):
        total = 'numpy.sum(numpy.array(y))'
    return f'def f{k}({", ".join(names_of(text))}):\n    y = {text}\n    return ({total}) * 1.5\n'


@pytest.fixture(scope='module')
def programs(tmp_path_factory):
    path = tmp_path_factory.mktemp('programs') / 'rule_programs.py'
    head = ['import math', 'import numpy', 'import operator'] + [f'{n} = numpy.array({v})' for n, v in PASSIVE.items()]
    path.write_text('\n'.join(head) + '\n\n' + '\n\n'.join(program(k, t) for k, t in enumerate(SAMPLES)))
    spec = importlib.util.spec_from_file_location('rule_programs', path)
    module = importlib.util.module_from_spec(spec)
    sys.modules['rule_programs'] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules['rule_programs']


def seeds(value):
    ones = [1.5 * numpy.ones(numpy.shape(v))[()] for v in parts(value)]
    return ones if isinstance(value, (list, tuple)) else ones[0]


def mine(x, others):
    return all(not numpy.shares_memory(x, y) for y in others if isinstance(y, numpy.ndarray))


@pytest.mark.parametrize(('k', 'text'), list(enumerate(SAMPLES)), ids=lambda v: v if isinstance(v, str) else '')
def test_gradient(k, text, programs):
    env, names = pool(), names_of(text)
    args = [env[n] for n in names]
    try:
        df = tangent.grad(getattr(programs, f'f{k}'), wrt=tuple(range(len(names))))
    except errors.TangentError:
        assert UFUNC_METHOD.match(text)
        return
    found = df(*args) if len(names) > 1 else (df(*args),)
    right = gradients(text, env, seeds(eval(text, {**env, **MODULES})))
    for name, gradient in zip(names, found):
        numpy.testing.assert_allclose(gradient, right.get(name, numpy.zeros(numpy.shape(env[name]))), 1e-9, 1e-12, err_msg=name)
        assert numpy.shape(gradient) == numpy.shape(env[name])
        assert mine(gradient, args) and mine(gradient, [g for g in found if g is not gradient])
        assert not isinstance(gradient, numpy.ndarray) or gradient.flags.writeable
    if all(isinstance(a, numpy.ndarray) and a.ndim for a in args):
        small = df(*[a.astype(numpy.float32) for a in args])
        for gradient in small if len(names) > 1 else (small,):
            assert gradient.dtype == numpy.float32
