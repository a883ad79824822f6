"""`mpi4py`: what each method of a communicator stands for, and the adjoints and tangents of that.

    method('comm.Recv(buf, source=None, tag=None, status=None)', 'buf[...] = Received(buf, comm, source, tag, at, status)')

A text on the right is the value, or what is written into a buffer; `at` is an Envelope of its own for each message, and
`buf_part` what the call gives beside the array, counts and a datatype. A keyword that the call leaves out, and `op=MPI.SUM`,
are left out there. Where a reduction is by another operation, that is the text `by`. In the texts of rules `ADJOINT` is the
communicator of the messages of derivatives.
"""
import types

from tangent.runtime import facts
from tangent.runtime.functions.parallel import arrays, buffers, collectives, links, messages, order, requests
from tangent.templates.language.declare import constant, general, linear
from tangent.templates.language.registry import MESSAGES, Message


def method(text, value, by=None):
    """A method of communicators, and what it stands for."""
    name = text.partition('(')[0].partition('.')[2]
    MESSAGES[name] = Message(text, value, by)
    if name[0].isupper() and 'dest' not in text and 'source' not in text:        # it may be waited for later
        MESSAGES[f'I{name.lower()}'] = Message(text.replace(name, f'I{name.lower()}'), value, by)


def message(text, *terms, always, like=None, **options):
    """The rule of a function that sends or receives: the terms of `always` are written wherever it is called."""
    known = {'like': like} if like else {}
    terms = [term and term.replace('ADJOINT', 'adjoint_comm(comm)') for term in terms]
    options['forward'] = options['forward'].replace('ADJOINT', 'adjoint_comm(comm)')
    rule = general(text, *terms, pure=False, fresh=not text.startswith('y = bcast('), **known, **options)
    rule.always = tuple(always.split())


# From one process to another

for name, aside in [('send', 'sent'), ('ssend', 'sent'), ('bsend', 'sent')]:
    method(f'comm.{name}(obj, dest, tag=0)', f'{aside}(obj, comm, dest, tag=tag)')
method('comm.recv(buf=None, source=None, tag=None, status=None)',
       'received(comm, source=source, tag=tag, at=at, status=status)')
method('comm.sendrecv(sendobj, dest, sendtag=0, recvbuf=None, source=None, recvtag=None, status=None)',
       '(sent_aside(sendobj, comm, dest, tag=sendtag), received(comm, source=source, tag=recvtag, at=at, status=status))[1]')
for name in ['Send', 'Ssend', 'Bsend', 'Rsend']:
    method(f'comm.{name}(buf, dest, tag=0)', 'Sent(buf, comm, dest, tag=tag, part=buf_part)')
method('comm.Recv(buf, source=None, tag=None, status=None)',
       'buf[...] = Received(buf, comm, source=source, tag=tag, at=at, status=status, part=buf_part)')
method('comm.Sendrecv(sendbuf, dest, sendtag=0, recvbuf=None, source=None, recvtag=None, status=None)',
       'Sent_aside(sendbuf, comm, dest, tag=sendtag, part=sendbuf_part); '
       'recvbuf[...] = Received(recvbuf, comm, source=source, tag=recvtag, at=at, status=status, part=recvbuf_part)')
method('comm.Sendrecv_replace(buf, dest, sendtag=0, source=None, recvtag=None, status=None)',
       'Sent_aside(buf, comm, dest, tag=sendtag, part=buf_part); '
       'buf[...] = Received(buf, comm, source=source, tag=recvtag, at=at, status=status, part=buf_part)')

for name in ['isend', 'issend', 'ibsend']:
    method(f'comm.{name}(obj, dest, tag=0)', 'isent(obj, comm, dest, tag=tag)')
for name in ['Isend', 'Issend', 'Ibsend', 'Irsend']:
    method(f'comm.{name}(buf, dest, tag=0)', 'Isent(buf, comm, dest, tag=tag, part=buf_part)')
method('comm.irecv(buf=None, source=None, tag=None)', 'promised(comm, source=source, tag=tag)')
method('comm.Irecv(buf, source=None, tag=None)', 'posted(buf, comm, source=source, tag=tag, part=buf_part)')

constant('envelope()', pure=False, fresh=True)
constant('adjoint_comm(comm)', pure=False)
constant('created(comm)', pure=False)
message('y = sent(x, comm, dest, tag=0)', 'received_like(x, ADJOINT, dest, tag=tag)', always='x',
        forward='sent(d[x], ADJOINT, dest, tag=tag)')
message('y = sent_aside(x, comm, dest, tag=0)', 'received_like(x, ADJOINT, dest, tag=tag)', always='x',
        forward='sent(d[x], ADJOINT, dest, tag=tag)')
message('y = received(comm, source=None, tag=None, at=None, status=None)', 'sent_back(d[y], ADJOINT, at)',
        always='comm', forward='received(ADJOINT, source=at.source, tag=at.tag, at=at)')
message('y = sent_back(b, comm, at)', 'received_again(b, comm, at)', always='b', forward='sent_back(d[b], comm, at)')
message('y = received_like(x, comm, source, tag=0)', None, 'sent(d[y], comm, source, tag=tag)', always='comm',
        forward='received_like(x, comm, source, tag=tag)')            # `x` says a shape: it gets nothing back
constant('posted(buf, comm, source=None, tag=None, part=())', pure=False, fresh=True)
constant('promised(comm, source=None, tag=None)', pure=False, fresh=True)
constant('delivery()', pure=False, fresh=True)
constant('null_request()', pure=False, fresh=True)
for name in '''wait_for(request,status=None) wait_for_all(requests,statuses=None) wait_for_sends(request,status=None)
        wait_for_all_sends(requests,statuses=None) among(requests,request) all_taken(requests)'''.split():
    constant(name, pure=False)
message('y = isent(x, comm, dest, tag=0)', 'received_like(x, ADJOINT, dest, tag=tag)', always='x',
        forward='sent(d[x], ADJOINT, dest, tag=tag)')
message('y = awaited(request, status=None)', 'returned(d[y], request)', always='request', forward='push_awaited(request)')
message('y = returned(b, request)', 'returned_again(b, request)', always='b', forward='returned(d[b], request)')
message('y = push_awaited(request)', 'returned(d[y], request)', always='request', forward='push_awaited(request)')
message('y = awaited_all(requests, statuses=None)', 'returned_all(d[y], requests)', always='requests',
        forward='push_awaited_all(requests)')
message('y = returned_all(b, requests)', 'returned_all_again(b, requests)', always='b', forward='returned_all(d[b], requests)')
message('y = delivered(buf, request, this)', 'delivered_back(d[y], this)', always='buf', like='buf',
        forward='push_delivered(d[buf], this)')
message('y = push_delivered(dbuf, this)', 'delivered_back(d[y], this)', always='dbuf', like='dbuf',
        forward='push_delivered(d[dbuf], this)')
for name in ['Sent', 'Sent_aside', 'Isent']:
    message(f'y = {name}(x, comm, dest, tag=0, part=())', 'Received_like(x, ADJOINT, dest, tag=tag, part=part)', always='x',
            forward='Sent(d[x], ADJOINT, dest, tag=tag, part=part)')
message('y = Received(buf, comm, source=None, tag=None, at=None, status=None, part=())',
        'Sent_back(d[y], comm, at, part=part)', always='buf', like='buf',
        forward='Received(d[buf], ADJOINT, source=at.source, tag=at.tag, at=at, part=part)')
# Between all, objects

method('comm.bcast(obj, root=0)', 'bcast(obj, comm, root=root)')
method('comm.reduce(sendobj, op=None, root=0)', 'summed(sendobj, comm, root=root)', 'reduced_by(sendobj, comm, op, root=root)')
method('comm.allreduce(sendobj, op=None)', 'allreduced(sendobj, comm)', 'allreduced_by(sendobj, comm, op)')
method('comm.gather(sendobj, root=0)', 'collected(sendobj, comm, root=root)')
method('comm.allgather(sendobj)', 'allgathered(sendobj, comm)')
method('comm.scatter(sendobj, root=0)', 'scattered(sendobj, comm, root=root)')
method('comm.alltoall(sendobj)', 'alltoall(sendobj, comm)')
method('comm.scan(sendobj, op=None)', 'scanned(sendobj, comm)', 'scanned_by(sendobj, comm, op)')
method('comm.exscan(sendobj, op=None)', 'exscanned(sendobj, comm)', 'exscanned_by(sendobj, comm, op)')

for text, term, forward in [
        ('bcast(x, comm, root=0)', 'summed_at(d[y], x, ADJOINT, root=root)', None),
        ('summed_at(b, x, comm, root=0)', 'bcast(d[y], comm, root=root)', 'summed_at(d[b], x, comm, root=root)'),
        ('summed(x, comm, root=0)', 'unbroadcast(bcast(d[y], ADJOINT, root=root), x)', None),
        ('allreduced(x, comm)', 'unbroadcast(allreduced(d[y], ADJOINT), x)', None),
        ('collected(x, comm, root=0)', 'dealt(d[y], x, ADJOINT, root=root)', None),
        ('dealt(b, x, comm, root=0)', 'collected(d[y], comm, root=root)', 'dealt(d[b], x, comm, root=root)'),
        ('scattered(x, comm, root=0)', 'gathered_at(d[y], x, ADJOINT, root=root)', None),
        ('gathered_at(b, x, comm, root=0)', 'scattered(d[y], comm, root=root)', 'gathered_at(d[b], x, comm, root=root)'),
        ('allgathered(x, comm)', 'allsummed(d[y], x, ADJOINT)', None),
        ('allsummed(b, x, comm)', 'allgathered(d[y], comm)', 'allsummed(d[b], x, comm)'),
        ('alltoall(x, comm)', 'alltoall_back(d[y], x, ADJOINT)', None),
        ('alltoall_back(b, x, comm)', 'alltoall(d[y], comm)', 'alltoall_back(d[b], x, comm)'),
        ('scanned(x, comm)', 'scanned_back(d[y], x, ADJOINT)', None),
        ('exscanned(x, comm)', 'exscanned_back(d[y], x, ADJOINT)', None)]:
    first = text.partition('(')[2].partition(',')[0]
    name, rest = text.partition('(')[0], text.partition(', comm')[2].replace('root=0', 'root=root')
    message(f'y = {text}', term, always=first, forward=forward or f'{name}(d[{first}], ADJOINT{rest}')
message('y = reduced_by(x, comm, op, root=0)', 'reduced_by_back(d[y], y, x, ADJOINT, op, root=root)', always='x',
        forward='push_reduced_by(y, x, d[x], ADJOINT, op, root=root)')
message('y = allreduced_by(x, comm, op)', 'allreduced_by_back(d[y], y, x, ADJOINT, op)', always='x',
        forward='push_by(y, x, d[x], ADJOINT, op)')
for name in ['scanned', 'exscanned']:
    message(f'y = {name}_by(x, comm, op)', f'{name}_back(d[y], x, ADJOINT)', always='x', forward=f'{name}(d[x], ADJOINT)')

# Between all, arrays

method('comm.Bcast(buf, root=0)', 'buf[...] = Bcast(buf, comm, root=root)')
method('comm.Reduce(sendbuf, recvbuf, op=None, root=0)', 'recvbuf[...] = Reduced(sendbuf, recvbuf, comm, root=root)',
       'recvbuf[...] = Reduced_by(sendbuf, recvbuf, comm, op, root=root)')
method('comm.Allreduce(sendbuf, recvbuf, op=None)', 'recvbuf[...] = Allreduced(sendbuf, recvbuf, comm)',
       'recvbuf[...] = Allreduced_by(sendbuf, recvbuf, comm, op)')
method('comm.Scan(sendbuf, recvbuf, op=None)', 'recvbuf[...] = Scanned(sendbuf, recvbuf, comm)',
       'recvbuf[...] = Scanned(sendbuf, recvbuf, comm, op=op)')
method('comm.Exscan(sendbuf, recvbuf, op=None)', 'recvbuf[...] = Exscanned(sendbuf, recvbuf, comm)',
       'recvbuf[...] = Exscanned(sendbuf, recvbuf, comm, op=op)')
for name, part in ('Gather', ''), ('Gatherv', ', part=recvbuf_part'):
    method(f'comm.{name}(sendbuf, recvbuf, root=0)', f'recvbuf[...] = Gathered(sendbuf, recvbuf, comm, root=root{part})')
for name, part in ('Scatter', ''), ('Scatterv', ', part=sendbuf_part'):
    method(f'comm.{name}(sendbuf, recvbuf, root=0)', f'recvbuf[...] = Scattered(sendbuf, recvbuf, comm, root=root{part})')
for name, part in ('Allgather', ''), ('Allgatherv', ', part=recvbuf_part'):
    method(f'comm.{name}(sendbuf, recvbuf)', f'recvbuf[...] = Allgathered(sendbuf, recvbuf, comm{part})')
for name, part in ('Alltoall', ''), ('Alltoallv', ', xpart=sendbuf_part, part=recvbuf_part'):
    method(f'comm.{name}(sendbuf, recvbuf)', f'recvbuf[...] = Exchanged(sendbuf, recvbuf, comm{part})')
method('comm.Reduce_scatter(sendbuf, recvbuf, recvcounts=None, op=None)',
       'recvbuf[...] = Reduced_blocks(sendbuf, recvbuf, comm, counts=recvcounts)',
       'recvbuf[...] = Reduced_blocks(sendbuf, recvbuf, comm, counts=recvcounts, op=op)')
method('comm.Reduce_scatter_block(sendbuf, recvbuf, op=None)', 'recvbuf[...] = Reduced_blocks(sendbuf, recvbuf, comm)',
       'recvbuf[...] = Reduced_blocks(sendbuf, recvbuf, comm, op=op)')

message('y = Bcast(buf, comm, root=0)', 'Summed_at(d[y], ADJOINT, root=root)', always='buf', like='buf',
        forward='Bcast(d[buf], ADJOINT, root=root)')
message('y = Summed_at(b, comm, root=0)', 'Bcast(d[y], comm, root=root)', always='b', like='b',
        forward='Summed_at(d[b], comm, root=root)')
message('y = Reduced(x, buf, comm, root=0)', 'Told(d[y], x, ADJOINT, root=root)', 'kept_elsewhere(d[y], comm, root)',
        always='x', like='buf', forward='Reduced(d[x], d[buf], ADJOINT, root=root)')
message('y = Reduced_by(x, buf, comm, op, root=0)', 'Reduced_back(d[y], y, x, ADJOINT, op, root=root)',
        'kept_elsewhere(d[y], comm, root)', always='x', like='buf',
        forward='Push_reduced(x, d[x], y, d[buf], ADJOINT, op, root=root)')
message('y = Allreduced(x, buf, comm)', 'Allsummed(d[y], x, ADJOINT)', None, always='x', like='buf',
        forward='Allreduced(d[x], y, ADJOINT)')
message('y = Allsummed(b, x, comm)', 'Allsummed(d[y], b, comm)', always='b', like='x', forward='Allsummed(d[b], x, comm)')
message('y = Allreduced_by(x, buf, comm, op)', 'Allreduced_back(d[y], y, x, ADJOINT, op)', None, always='x', like='buf',
        forward='Push_by(x, d[x], y, ADJOINT, op)')
message('y = Gathered(x, buf, comm, root=0, part=None)', 'Dealt(d[y], x, ADJOINT, root=root, part=part)',
        'left(d[y], buf, comm, root, part=part)', always='x', like='buf',
        forward='Gathered(d[x], d[buf], ADJOINT, root=root, part=part)')
message('y = Scattered(x, buf, comm, root=0, part=None)', 'Gathered_at(d[y], x, ADJOINT, root=root, part=part)', None,
        always='x', like='buf', forward='Scattered(d[x], y, ADJOINT, root=root, part=part)')
message('y = Allgathered(x, buf, comm, part=None)', 'Summed_blocks(d[y], x, ADJOINT, part=part)',
        'left_of_all(d[y], comm, part)', always='x', like='buf', forward='Allgathered(d[x], d[buf], ADJOINT, part=part)')
message('y = Exchanged(x, buf, comm, xpart=None, part=None)', 'Exchanged_back(d[y], x, ADJOINT, xpart=xpart, part=part)',
        'left_of_all(d[y], comm, part)', always='x', like='buf',
        forward='Exchanged(d[x], d[buf], ADJOINT, xpart=xpart, part=part)')
message('y = Reduced_blocks(x, buf, comm, counts=None, op=None)', 'Allgathered_blocks(d[y], x, ADJOINT)', None, always='x',
        like='buf', forward='Reduced_blocks(d[x], y, ADJOINT, counts=counts)')
message('y = Scanned(x, buf, comm, op=None)', 'Summed_later(d[y], x, ADJOINT)', None, always='x', like='buf',
        forward='Scanned(d[x], y, ADJOINT)')
message('y = Exscanned(x, buf, comm, op=None)', 'Summed_later(d[y], x, ADJOINT, itself=False)', 'kept_first(d[y], comm)',
        always='x', like='buf', forward='Exscanned(d[x], d[buf], ADJOINT)')
# Of the adjoints themselves: each is linear in the gradient that it passes on
for text, term in [
        ('Received_like(x, comm, source, tag=0, part=())', 'Sent(d[y], comm, source, tag=tag, part=part)'),
        ('Sent_back(b, comm, at, part=())', 'Received_again(d[y], b, comm, at, part=part)'),
        ('delivered_back(b, this)', 'delivered_again(d[y], b, this)'),
        ('Told(b, x, comm, root=0)', 'Summed_at(d[y], comm, root=root)'),
        ('Dealt(b, x, comm, root=0, part=None)', 'Gathered(d[y], b, comm, root=root, part=part)'),
        ('Gathered_at(b, x, comm, root=0, part=None)', 'Scattered(d[y], b, comm, root=root, part=part)'),
        ('Summed_blocks(b, x, comm, part=None)', 'Allgathered(d[y], b, comm, part=part)'),
        ('Exchanged_back(b, x, comm, xpart=None, part=None)', 'Exchanged(d[y], b, comm, xpart=xpart, part=part)'),
        ('Summed_later(b, x, comm)', 'Scanned(d[y], b, comm)')]:
    name, first = text.partition('(')[0], text.partition('(')[2].partition(',')[0]
    rest = ', '.join(f'{p}={p}' if default else p for p, _, default in (
        q.partition('=') for q in text.replace('part=()', 'part=None')[:-1].split(', ')[1:]))
    where = ([None, term], 'comm') if first == 'x' else ([term], first)        # `x` says a shape: it gets nothing back
    message(f'y = {text}', *where[0], always=where[1], forward=f'{name}({first if first == "x" else f"d[{first}]"}, {rest})')
    if 'x' in text.replace(',', '(').replace('(', ' ').split():                # what was sent: a gradient in its shape
        facts.note(text, shape_of='x')
facts.note('Allsummed(b, x, comm)', shape_of='x')
facts.note('Allgathered_blocks(b, x, comm)', shape_of='x')
general('y = picked(x, part, times=1)', 'picked_back(d[y], x, part, times=times)', pure=False, fresh=True,
        forward='picked(d[x], part, times=times)')
general('y = picked_back(b, x, part, times=1)', 'picked(d[y], part, times=times)', pure=False, fresh=True, like='x',
        forward='picked_back(d[b], x, part, times=times)')
general('y = with_picked(x, part, values, times=1)', 'without_picked(d[y], x, part, times=times)', None,
        'picked(d[y], part, times=times)', pure=False, fresh=True, like='x',
        forward='with_picked(d[x], part, d[values], times=times)')
general('y = without_picked(b, x, part, times=1)', 'without_picked(d[y], x, part, times=times)', pure=False, fresh=True,
        like='x', forward='without_picked(d[b], x, part, times=times)')
linear('y = kept_elsewhere(b, comm, root)', 'kept_elsewhere(d[y], comm, root)')
linear('y = kept_first(b, comm)', 'kept_first(d[y], comm)')
linear('y = left_of_all(b, comm, part=None)', 'left_of_all(d[y], comm, part=part)')

# What sends or receives is done where it stands, and once
PURE = 'kept_elsewhere', 'kept_first', 'left', 'left_of_all'
for module in arrays, buffers, collectives, links, messages, order, requests:
    for name, thing in vars(module).items():
        if isinstance(thing, types.FunctionType) and thing.__module__ == module.__name__ and name not in PURE:
            facts.note(name, pure=False)

# What is sent as an object may be a list, to whose gradient another one is not added by `+`
facts.note('received bcast collected scattered allgathered alltoall awaited awaited_all', structured=())
facts.note('received_like summed_at dealt gathered_at allsummed alltoall_back', structured=('x',))
facts.note('received_again returned_again returned_all_again', structured=('b',))

# What waits until it is done keeps nothing of what it is given, and changes no array
facts.note('Sent(x, comm, dest, tag, part)', harmless=True, fresh=True)
facts.note('Sent_aside(x, comm, dest, tag, part)', harmless=True, fresh=True)
facts.note('Received(buf, comm, source, tag, at, status, part)', writes='at status', in_place=True, fresh=True, like='buf')
facts.note('Received_like(x, comm, source, tag, part)', harmless=True, fresh=True, like='x')
facts.note('Sent_back(b, comm, at, part)', harmless=True, shares='b', like='b')
facts.note('Told(b, x, comm, root)', harmless=True, shares='b')
facts.note('''Bcast Summed_at Reduced Reduced_by Allreduced Allreduced_by Allsummed Gathered Dealt Scattered Gathered_at
    Allgathered Summed_blocks Exchanged Exchanged_back Reduced_blocks Allgathered_blocks Scanned Exscanned Summed_later''',
           harmless=True, fresh=True)

# Communicators that are made inside
for name in '''Split Dup Clone Create Create_cart Create_graph Create_dist_graph Create_dist_graph_adjacent Create_group Sub
        Split_type Dup_with_info'''.split():
    MESSAGES[name] = Message(None, 'created', None)
