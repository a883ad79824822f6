"""The derivative of `numpy.einsum`: another einsum, written out where its letters are literal."""
import gast

from tangent import errors
from tangent.frontend import tree
from tangent.frontend.quote import literal


def spelt(args, keywords):
    """The arguments with letters: `einsum(a, [0, 1], b, [1, 2], [0, 2])` is `einsum('ab,bc->ac', a, b)`."""
    if len(args) < 2 or not (isinstance(args[1], (gast.List, gast.Tuple)) or tree.is_ellipsis(args[1])):
        return args, keywords
    operands, lists = list(args[:len(args) - len(args) % 2:2]), list(args[1::2])
    result = args[-1:] if len(args) % 2 else []
    text = ','.join(map(_spell, lists)) + ''.join('->' + _spell(r) for r in result)
    return [tree.constant(text), *operands], keywords


def _spell(axes):
    found = literal(axes)
    if not found or not all(v is Ellipsis or isinstance(v, int) for v in found[0]):
        raise errors.ArgumentError('numpy.einsum: lists of axes have to be literal; use letters')
    return ''.join('...' if v is Ellipsis else 'abcdefghijklmnopqrstuvwxyz'[v] for v in found[0])


def operand(bound, i):
    """The gradient of operand number i, as a text."""
    letters = _letters(bound, i)
    if letters is None or len(bound['operands'].elts) == 1:
        return f'uneinsum(d[y], subscripts, operands, {i})'
    others = ''.join(f', operands[{k}]' for k in range(len(bound['operands'].elts)) if k != i)
    return f'unbroadcast(numpy.einsum({letters!r}, d[y]{others}), operands[{i}])'


def _letters(bound, i):
    """The subscripts of that einsum, or None where operand i repeats a letter or is alone in having one."""
    text = next((t for t in literal(bound['subscripts']) if isinstance(t, str)), None)
    if text is None or '->' not in text or '...' in text:
        return None
    left, output = text.replace(' ', '').split('->')
    inputs = left.split(',')
    mine, others = inputs[i], inputs[:i] + inputs[i + 1:]
    if len(set(mine)) < len(mine) or set(mine) - set(output).union(*others):
        return None
    return ','.join([output] + others) + '->' + mine
