"""The derivative of `numpy.einsum`: another einsum, written out where its letters are literal."""
from tangent.rules_trees import literal


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
