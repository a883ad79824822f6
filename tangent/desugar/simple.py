"""Statements that say the same in other words: `del x` of a name, `global` of a name that is only read."""
from __future__ import annotations

import gast

from tangent import tree
from tangent.desugar.loops import SCOPES, made


def simple(stmts):
    """The statements without those that a derivative does not need."""
    out = []
    for s in stmts:
        if isinstance(s, gast.Delete):
            targets = [t for t in s.targets if not isinstance(t, gast.Name)]
            out += [tree.replace(s, targets=targets)] if targets else []
        elif isinstance(s, gast.Global):
            continue
        elif isinstance(s, SCOPES):
            out.append(s)
        else:
            blocks = {field: simple(block) for field, block in tree.blocks(s)}
            if 'body' in blocks and not blocks['body']:
                blocks['body'] = [made(gast.Pass(), s)]
            changed = any(len(b) != len(getattr(s, f)) or any(x is not y for x, y in zip(b, getattr(s, f)))
                          for f, b in blocks.items())
            out.append(tree.replace(s, **blocks) if changed else s)
    return out
