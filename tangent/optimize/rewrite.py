"""Changed copies of trees. What does not change is shared, not copied."""
import dataclasses

import gast

from tangent.analysis.dataflow.statements import BLOCKS, COMPOUND
from tangent.frontend import tree

BLOCK_HOLDERS = COMPOUND + (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


def substitute(node, mapping):
    """The tree with loads of the names in `mapping` replaced by the trees there; itself if there are none."""
    if isinstance(node, gast.Name):
        return mapping.get(node.id, node) if isinstance(node.ctx, gast.Load) else node
    return tree.with_children(node, lambda child: substitute(child, mapping))


def rename(node, mapping):
    """The tree with names renamed wherever they are read or bound."""
    if isinstance(node, gast.Name):
        new = mapping.get(node.id, node.id)
        return node if new == node.id else tree.replace(node, id=new)
    return tree.with_children(node, lambda child: rename(child, mapping))


def rename_apart(node, loads, stores):
    """The tree with names renamed by one table where they are read and by another where they are bound."""
    if isinstance(node, gast.Name):
        new = (loads if isinstance(node.ctx, gast.Load) else stores).get(node.id, node.id)
        return node if new == node.id else tree.replace(node, id=new)
    return tree.with_children(node, lambda child: rename_apart(child, loads, stores))


def header(stmt, change):
    """The statement with `change` applied to the expressions that it evaluates itself, outside its blocks."""
    return tree.with_children(stmt, change, BLOCKS if isinstance(stmt, BLOCK_HOLDERS) else ())


def with_blocks(stmt, change):
    """The statement with `change` (block -> block) applied to each of its blocks."""
    if not isinstance(stmt, COMPOUND):
        return stmt
    fields = {}
    for field, block in tree.blocks(stmt):
        new = change(block)
        if new is not block:
            fields[field] = new
    return tree.replace(stmt, **fields) if fields else stmt


def with_fields(node, **fields):
    """The node with these fields, itself if it has them already."""
    new = {field: value for field, value in fields.items() if value is not getattr(node, field)}
    return tree.replace(node, **new) if new else node


def same(new, old):
    """The old list if the new one holds the very same items."""
    return old if len(new) == len(old) and all(a is b for a, b in zip(new, old)) else new


def with_body(func, body):
    """The function with another body, itself if it is the same one."""
    if body is func.tree.body:
        return func
    return dataclasses.replace(func, tree=tree.replace(func.tree, body=body or [gast.Pass()]))


def with_statements(block, new, before=()):
    """The block with statements replaced, in its inner blocks too: `new` maps one to another, or to None; `before` maps
    a statement to those that come to stand before it."""
    out = []
    for stmt in block:
        if stmt in before:
            out += before[stmt]
        if stmt not in new:
            out.append(with_blocks(stmt, lambda inner: with_statements(inner, new, before)))
        elif new[stmt] is not None:
            out.append(new[stmt])
    return same(out, block)
