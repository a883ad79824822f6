"""`numba_mpi`: what its functions stand for, and the adjoints and tangents of that.

    call('numba_mpi.recv(data, source, tag)', 'data[...] = world_received(data, source, tag)')

As for `mpi4py` (see `templates.parallel.mpi`), but for the communicator, of which there is one. What a call gives is 0, the
status of a message that has gone well.
"""
import numba_mpi

import tangent.runtime.functions.parallel.compiled  # noqa: F401 (declares what the texts name)
from tangent.frontend.source import uncompiled
from tangent.runtime.functions.parallel.links import watch_exceptions
from tangent.templates.language.declare import constant, general
from tangent.templates.language.registry import CALLED, Message


def call(text, value):
    """A function of numba_mpi, and what it stands for."""
    function = getattr(numba_mpi, text.partition('(')[0].partition('.')[2])
    CALLED[function] = CALLED[uncompiled(function)] = Message(text, value, None)


def message(text, *terms, always, forward):
    """The rule of a function that sends or receives."""
    general(text, *terms, forward=forward).always = (always,)


call('numba_mpi.send(data, dest, tag=0)', 'world_sent(data, dest, tag=tag)')
call('numba_mpi.recv(data, source, tag)', 'data[...] = world_received(data, source, tag)')
call('numba_mpi.sendrecv(senddata, dest, recvdata, source, sendtag, recvtag)',
     'recvdata[...] = world_exchanged(senddata, dest, recvdata, source, sendtag, recvtag)')
call('numba_mpi.bcast(data, root)', 'data[...] = world_bcast(data, root)')
call('numba_mpi.reduce(sendobj, recvobj, operator, root)', 'recvobj[...] = world_reduced(sendobj, recvobj, root)')
call('numba_mpi.allreduce(sendobj, recvobj, operator=None)', 'recvobj[...] = world_allreduced(sendobj, recvobj)')
call('numba_mpi.gather(send_data, recv_data, count, root)',
     'recv_data[...] = world_gathered(send_data, recv_data, count, root)')
call('numba_mpi.scatter(send_data, recv_data, count, root)',
     'recv_data[...] = world_scattered(send_data, recv_data, count, root)')
call('numba_mpi.allgather(send_data, recv_data, count)',
     'recv_data[...] = world_allgathered(send_data, recv_data, count)')
for name in 'rank size initialized wtime barrier query_thread'.split():
    constant(f'numba_mpi.{name}()', pure=name in ('rank', 'size'))
    constant(uncompiled(getattr(numba_mpi, name)))

message('y = world_sent(x, dest, tag=0)', 'world_received_like(x, dest, tag=tag)', always='x',
        forward='world_sent(d[x], dest, tag=tag)')
message('y = world_received(buf, source, tag)', 'world_sent_back(d[y], source, tag)', always='buf',
        forward='world_received(d[buf], source, tag)')
message('y = world_exchanged(x, dest, buf, source, sendtag, recvtag)',
        'world_exchanged_back(d[y], x, dest, source, sendtag, recvtag)', None, 'world_left(d[y], source)', always='x',
        forward='world_exchanged(d[x], dest, d[buf], source, sendtag, recvtag)')
message('y = world_bcast(buf, root)', 'world_reduced(d[y], init_grad(d[y]), root)', always='buf',
        forward='world_bcast(d[buf], root)')
message('y = world_reduced(x, buf, root)', 'unbroadcast(world_bcast(d[y], root), x)', 'world_left_by(d[y], d[y].size, root)',
        always='x', forward='world_reduced(d[x], d[buf], root)')
message('y = world_allreduced(x, buf)', 'unbroadcast(world_allreduced(d[y], d[y]), x)', None, always='x',
        forward='world_allreduced(d[x], y)')
message('y = world_gathered(x, buf, count, root)',
        'world_scattered(d[y], init_grad(x), count, root)', 'world_left_by(d[y], count, root)',
        always='x', forward='world_gathered(d[x], d[buf], count, root)')
message('y = world_scattered(x, buf, count, root)',
        'world_gathered(d[y], init_grad(x), count, root)', None, always='x',
        forward='world_scattered(d[x], y, count, root)')
message('y = world_allgathered(x, buf, count)', 'world_summed_blocks(d[y], x, count)', 'world_left_by(d[y], count, -1)',
        always='x', forward='world_allgathered(d[x], d[buf], count)')

# Of the adjoints themselves
message('y = world_received_like(x, dest, tag=0)', 'world_sent(d[y], dest, tag=tag + 16384)', always='x',
        forward='world_received_like(x, dest, tag=tag)')

watch_exceptions()                      # compiled code cannot, and the others would wait for one that has ended so
