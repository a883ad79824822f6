"""Passes of Numba's compiler that put other statements in the place of single assignments."""
from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass


class Assignments(FunctionPass):
    """A pass that asks of each assignment what is to stand there.

    Nothing changes in functions with parallel loops, whose sums and arrays Numba finds by their form.
    """

    def __init__(self):
        FunctionPass.__init__(self)

    def finder(self, function):
        """Tells for (label of a block, its scope, an assignment) the statements that take its place; None where it stays."""
        raise NotImplementedError

    def run_pass(self, state):
        function, changed = state.func_ir, False
        if state.flags.auto_parallel.enabled:
            return False
        instead = self.finder(function)
        for label, block in function.blocks.items():
            for s in list(block.find_insts(ir.Assign)):
                made = instead(label, block.scope, s)
                if made is not None:
                    at = block.body.index(s)
                    block.body[at:at + 1] = made
                    changed = True
        if changed:
            function._definitions = ir_utils.build_definitions(function.blocks)
        return changed
