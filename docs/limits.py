"""The page docs/limits.md: what Python is not accepted, and what makes a derivative take the log form."""
from __future__ import annotations

from tangent.frontend import subset

LIFT = 'write the function at the top level and pass it what it needs as arguments'

REFUSED = (
    ('generators (yield)', 'return the values together; a function that is called may yield'),
    ('items of a dict with a derivative under one name', 'write for key, value in ...'),
    ('views of dicts with a derivative under a name', 'make a list of it: list(d.values())'),
    ('loops without an end over values with a derivative', 'write while True, or zip it with something finite'),
    ('zip whose strict is no literal, over values with a derivative', 'write strict=True or leave it out'),
    ('positional patterns of classes known only when running', 'name the attributes: Point(x=a, y=b)'),
    ('starred expressions', 'write out the elements, or use a slice'),
    ("displays such as np.r_['0,2', x], which a text tells how to join,", 'call numpy.concatenate or numpy.stack'),
    ('assignments into something that is not known to have a derivative',
     'make it in the same function, or pass it as an argument'),
    ('writes to global variables through which a derivative flows', 'return the value and assign it in the caller'),
    ('writes into what is outside after a call that has read it', 'pass what the call reads as an argument'),
    ('default values with a derivative', 'read the variable in the body'),
    ('deletions of attributes with a derivative', 'set it to None'),
    ('while ... else blocks whose test calls a function with a derivative',
     'set a flag before break and test it after the loop'),
    ('insert_grad_of blocks in a function that needs the log form', 'put the block into a function of its own'),
    ('np.mgrid, np.ogrid and their like around values with a derivative', 'use numpy.linspace or numpy.meshgrid'),
    ('calls that write into a value with a derivative inside a comprehension, or by map and the like that may stop early,',
     'write a for loop'),
    ('iterators that read what has a derivative after it has been changed',
     'write list(...) around it to read it at once, or a loop over indices'),
    ('iterators with a derivative that are gone through twice, or by next(),', 'make a list of it: list(...)'),
    ('iterators with a derivative of which a part is taken', 'make a list of it first: list(...)'),
    ('keys of dicts and elements of sets that are read as numbers with a derivative', 'keep the numbers in a list beside it'),
    ('numbers that are read from a text or from bytes made of a value with a derivative', 'compute with the value itself'),
    ('objects that are changed, with a derivative, where they are keys of a dict or in a set,', 'go through a list of them'),
    ('calls that write over a value with a derivative', 'leave overwrite_a=, copy=False and their like out'),
    ('calls that update in place a value with a derivative', 'write x += v for operator.iadd(x, v)'),
    ('calls that draw at random from a value with a derivative', 'draw the indices, and take x[indices]'),
    ('finally blocks that change what is returned and has a derivative',
     'assign the value, and return it behind the try statement'),
    ('values with a derivative that are kept outside of the function, and read again,',
     'pass what keeps them as an argument, or make it in the function'),
    ('exceptions that sys gives, whose values may have a derivative,', 'write except ... as error'),
    ('updates by |= through which a derivative flows', 'write d.update(e)'),
    ('exit stacks with callbacks or contexts that have a derivative',
     'write one with statement for each, and behind it what is called back'),
    ('uses of the __dict__ of an object with a derivative', 'use getattr and setattr'),
    ('products by * with a sparse matrix of the older kind that the function makes or finds',
     'write @, or make it a sparse array (csr_array)'),
    ('iterators by iter(f, end), but for the header of a loop, in forward mode', 'write for v in iter(f, end): ...'),
    ('functions of singledispatch that are made inside the function', 'define them at the top level'),
    ('orders by cmp_to_key of what may write, but for key=', 'write sorted(xs, key=functools.cmp_to_key(f))'),
    ('uses of what a function inside has for default values', 'keep it under a name of its own'),
    ('uses of the .args of a functools.partial', 'keep what it is given under a name of its own'),
    ('lists of what may be an object whose __len__ writes something', 'write a loop: for v in ...'),
    ('special methods that write, such as __hash__ and __repr__,', 'write in a method that is called by its name'),
    ('copies by copy.copy and copy.deepcopy where classes say how to copy',
     'call a method of the class that makes the copy'),
    ('comparisons in a row of what classes compare', 'write them with and'),
    ('orders of objects whose comparison writes something', 'compare with if'),
    ('contexts that write, when they are left, into what they give',
     'make the context before the with statement, under a name'),
    ('generators that write between their values, in forward mode,', 'write for v in ... around the call of the generator'),
    ('handlers that are chosen by a call which writes into something', 'call it in front of the try'),
    ('calls of functions that write whose arguments, given by name in another order, are calls',
     'give them in the order of the parameters'),
    ('iterators under a name, gone through beside values with a derivative,', 'make a list of it: list(...)'),
    ('arrays made of .flat, which may be views,', 'write x.flatten(), or x.ravel()'),
    ('several calls in one statement of what their arguments bind anew', 'write a statement for each call'),
    ('classes made by type() of functions inside', 'define the class at the top level'),
    ('objects of name, a number whose operators are code of its own,', 'write what they do as functions of plain numbers'),
    ('elements and attributes as targets of generators and of what lambdas make', 'bind a name: for v in ...'),
    ('function values that write into variables of the function around them, given to a derivative,',
     'let the function return what it writes'),
    ('other expressions through which a derivative flows', 'split the expression into assignments'),
)
"""What both forms of a reverse derivative refuse, where a derivative flows."""

CHECKPOINTED = (
    ('calls of checkpointed that are not the header of a loop',
     'write for i in tangent.checkpointed(...): or while tangent.checkpointed(...):'),
    ('calls of checkpointed with other arguments', 'write checkpointed(iterable, budget=k)'),
    ('return in a checkpointed loop', 'set a variable and break'),
    ('yield and await in a checkpointed loop', 'return the values together'),
    ('global and nonlocal in a checkpointed loop', 'use a variable of the function'),
    ('del in a checkpointed loop', 'leave it out'),
    ('classes in a checkpointed loop', 'define them at the top level'),
    ('assignments to attributes in a checkpointed loop', 'use a variable, and assign it behind the loop'),
    ('checkpointed loops in a try statement whose variables are read after an exception',
     'put the loop into a function of its own'),
    ('checkpointed loops that write into what they run over', 'run over the indices: range(len(...))'),
    ('functions made in a checkpointed loop', 'make them before the loop'),
    ('checkpointed loops that write into an array with other names and bind its name anew',
     'give the loop a copy that is made before it'),
)
"""What loops that keep a few states refuse; where `memory=` asks for them, such loops keep their whole tape."""

FORWARD = (
    ('next() of a generator with a derivative, in forward mode,', 'iterate over it with for'),
    ('values with a derivative that a function has as its attributes, in forward mode,',
     'keep them in an object, and pass it to the function'),
    ('generators that return a value', 'yield it'),
    ('values sent into a generator', 'pass them as arguments'),
    ('assignments into a value without a name', 'give the value a name first'),
    ('* and ** in an active call', 'write the arguments one by one'),
)
"""What forward mode refuses beside."""

NUMBA = (
    ('seeds and tangents behind *args, for Numba,', 'write the parameters one by one'),
    ('functions made by numba.vectorize and numba.guvectorize',
     'call a function made by numba.njit in a loop over the elements'),
    ('objects of classes made by numba.experimental.jitclass', 'use a namedtuple, and functions that take it'),
    ('calls of functions that are known only when running, for Numba,',
     'call the function by its own name, or take tangent.grad(f, jit=False)'),
)
"""What is refused where Numba is to compile the derivative."""

CUDA = (
    ('uses of cuda.name', 'use grid, gridsize, threadIdx and the like, shared.array, local.array, const.array_like, and as '
     'statements syncthreads() and atomic.add()'),
    ('slices in kernels', 'write the loop over the elements'),
    ('calls of the device function name at this place',
     'call it in a statement of its own, and let it return at its end alone'),
    ('device functions that call themselves', 'write a loop'),
    ('device functions that return nothing, used as values,',
     'call it in a statement of its own, and let it return at its end alone'),
    ('arguments of device functions with a star', 'write them one by one'),
    ('values returned by kernels', 'write them into an array'),
    ('elements of an array to which other threads add', 'read them in a kernel of its own'),
    ('elements of a tile to which other threads add, and which the adjoint reads again,',
     'let each thread write into an element of its own'),
    ('ranges with a step of unknown sign', 'let the step be a constant, cuda.gridsize(1) or cuda.blockDim.x'),
    ('operations whose derivative takes name(), on a device,', 'write them out in arithmetic and functions of math'),
    ('device functions whose derivative keeps values of each iteration', 'write the loop into the kernel'),
    ('barriers whose adjoint is not known', 'write the tile in each phase'),
)
"""What is refused in kernels, beside what makes a derivative take the log form."""

MESSAGES = (
    ('name in a part of an expression that may not be run', 'make it a statement of its own'),
    ('name, a message without a derivative rule,', 'the error names what may stand there'),
    ('name in a lambda that name calls', 'write a loop'),
    ('name inside of an expression', 'it writes into a buffer: make it a statement of its own'),
    ('name by another operation than Operator.SUM', 'use the methods of mpi4py'),
    ('MPI.IN_PLACE in name', 'send a copy of the block'),
    ('these arguments of name', 'the error says how to write it'),
    ('name without name', 'the error says how to write it'),
    ('name of requests', 'wait for them, or for all'),
    ('messages that another function waits for', 'wait for the request in the function that posts it'),
)
"""What is refused of messages between processes."""

LOG_FORM = (
    ('calls of what is None when the derivative is made', 'import it before'),
    ('__missing__ of dicts, in forward mode,', 'write d.setdefault(key, value)'),
    ('handlers that tell whether a name was deleted', 'set it to None'),
    ('finally blocks, and contexts that are left, with a derivative', 'write what is done there behind the block'),
    ('statements that write into an array, list or object through which a derivative flows',
     'build the new value from its parts (numpy.where, numpy.concatenate, numpy.stack, a list display) and assign it to '
     'a name'),
    ('assignments to an element, slice or attribute through which a derivative flows',
     'build the array from its parts: numpy.concatenate, numpy.where, numpy.stack'),
    ('in-place operations on an element or slice through which a derivative flows',
     'collect the parts in a list, or use numpy.where'),
    ('in-place operations on what has another name, as an array would show', 'write x = x + v for x += v, or work on a copy'),
    ('objects of classes with an __init__ of their own', 'pass the object, or its parts, as an argument'),
    ('methods such as .name() of values with a derivative', 'call a function with the value as argument'),
    ('operators, properties and methods that classes define', 'call a function with the object as argument'),
    ('updates of objects in place by an operator of name', 'call a method that does it'),
    ('calls that are given an object which is written into later', 'pass what they read of it as arguments'),
    ('functions whose variable is bound anew while they are in use', LIFT),
    ('functions that change variables of the function around them', LIFT),
    ('function values that write into variables of the function around them', LIFT),
    ('generators inside the function', LIFT),
    ('several * or ** in an active call, or arguments behind them', 'put them together first'),
    ('element targets in an active unpacking', 'unpack into plain names'),
)
"""What the form that reads like handwork leaves to the log form."""


def table():
    """The text of the page."""
    taken = [row for row in subset.ALWAYS
             if row is subset.SUPER or row not in subset.INSERTIONS and set(row.kinds) & set(subset.LOGGED)]
    always = [(row.what, row.instead) for row in subset.ALWAYS if row not in taken]
    left = [(row.what, row.instead) for row in taken]
    rows = ['# What is not supported', '',
            'Printed by `docs.limits.table()`. Every other construct of Python is accepted.', '',
            '## Anywhere in a differentiated function', '', *_table(always), '',
            '## In statements that are differentiated', '',
            'These pass untouched where no derivative is asked for: in prints, asserts, strings, and in whatever does',
            'not lie between the inputs and the result.', '', *_table(REFUSED), '',
            '## In messages between processes', '',
            '[Programs under MPI](mpi.md) have derivatives but for these calls.', '', *_table(MESSAGES), '',
            '## In loops that keep a few states', '',
            'These are refused in loops over `tangent.checkpointed(...)`; `memory=` leaves such loops their whole tape.', '',
            *_table(CHECKPOINTED), '',
            '## In forward mode', '', *_table(FORWARD), '',
            '## Where Numba compiles the derivative', '',
            'What makes a derivative take the log form (below) is refused too; `jit=False` gives the derivative for CPython.',
            '',
            *_table(NUMBA), '',
            '## In CUDA kernels', '', *_table(CUDA), '',
            '## What makes a derivative take the log form', '',
            'These work. But where one of them stands the derivative keeps a log of the statements that were made (see',
            '[All of ordinary Python](python.md)), which reads less like handwork and costs more; the second column says',
            'how to do without it.', '', *_table(left + list(LOG_FORM), 'in the log form', 'to do without it')]
    return '\n'.join(rows) + '\n'


def _table(rows, what='not supported', instead='instead'):
    yield f'| {what} | {instead} |'
    yield '|---|---|'
    for left, right in rows:
        yield f'| {left} | {right} |'.replace('*', r'\*')
