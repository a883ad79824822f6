"""The gradient of a TreeLSTM over one tree, written as a recursive function over objects, against PyTorch's eager mode.

Both run the same program, node by node, in float64 (and float32), on one thread.
"""
import os

for variable in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS'):
    os.environ.setdefault(variable, '1')            # before NumPy is imported, where this is run on its own

import pathlib  # noqa: E402
from importlib import util  # noqa: E402

import numpy as np  # noqa: E402

import tangent  # noqa: E402
from benchmarks.tools.peers import present  # noqa: E402
from benchmarks.tools.timing import Row, measure  # noqa: E402

NODES, HIDDEN = 300, 150
LANTERN = pathlib.Path(__file__).parent.parent / 'examples' / 'papers' / 'lantern.py'


def lantern():
    """The program: that of the example."""
    spec = util.spec_from_file_location('lantern', LANTERN)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def arguments(nodes, hidden, dtype=float):
    """(module, parameters, a tree of so many nodes)"""
    module, rng = lantern(), np.random.RandomState(0)
    tree = module.random_tree((nodes + 1) // 2, rng, words=1000)
    parameters = module.tree_parameters(hidden, rng, words=1000)
    return module, module.TreeParameters(*(p.astype(dtype) for p in parameters)), tree


def encoder(torch):
    """The same function for PyTorch."""
    def encode(tree, p):
        n = p.out.shape[1]
        if tree.left is None:
            gates = p.leaf @ p.embedding[tree.word] + p.leaf_bias
            c = torch.sigmoid(gates[:n]) * torch.tanh(gates[2 * n:])
            h = torch.sigmoid(gates[n:2 * n]) * torch.tanh(c)
            return cross_entropy(p.out @ h + p.out_bias, tree.label), h, c
        left_loss, left_h, left_c = encode(tree.left, p)
        right_loss, right_h, right_c = encode(tree.right, p)
        gates = p.node @ torch.cat([left_h, right_h]) + p.node_bias
        c = (torch.sigmoid(gates[:n]) * torch.tanh(gates[4 * n:])
             + torch.sigmoid(gates[n:2 * n]) * left_c + torch.sigmoid(gates[2 * n:3 * n]) * right_c)
        h = torch.sigmoid(gates[3 * n:4 * n]) * torch.tanh(c)
        return left_loss + right_loss + cross_entropy(p.out @ h + p.out_bias, tree.label), h, c

    def cross_entropy(logits, label):
        return torch.logsumexp(logits, 0) - logits[label]
    return encode


def programs(peers, nodes=NODES, hidden=HIDDEN, dtype=float):
    """name -> call without arguments, each giving a list of gradients."""
    module, parameters, tree = arguments(nodes, hidden, dtype)
    gradient = tangent.grad(module.tree_loss)
    found = {'tangent': lambda: list(gradient(parameters, tree)),
             'forward': lambda: module.tree_loss(parameters, tree)}
    if 'torch' in peers:
        torch = peers['torch']
        torch.set_num_threads(1)
        encode = encoder(torch)

        def eager():
            tensors = module.TreeParameters(*(torch.from_numpy(p).requires_grad_() for p in parameters))
            encode(tree, tensors)[0].backward()
            return [t.grad.numpy() for t in tensors]
        found['torch'] = eager
    return found


def run(_, repeats=7, nodes=NODES, hidden=HIDDEN):
    """The report, line by line."""
    peers = present(['torch'])
    for dtype in (np.float64, np.float32):
        seconds = measure(programs(peers, nodes, hidden, dtype), repeats)
        what = f'TreeLSTM, {nodes} nodes, hidden {hidden}, {dtype.__name__}'
        yield Row(f'{what}: gradient', seconds['tangent'] * 1e3, unit=' ms')
        yield Row(f'{what}: gradient / forward', seconds['tangent'] / seconds['forward'])
        if 'torch' in seconds:
            yield Row(f'{what}: tangent / torch eager', seconds['tangent'] / seconds['torch'], 1.0)


if __name__ == '__main__':
    for row in run({}):
        print(row)
