"""Functions that make containers of containers: the gradient has the structure of the argument."""
import copy
import dataclasses

from tangent.templates.language.declare import general, linear

CONTAINER = {'shape': 'container'}

linear('y = list(iterable)', 'unlist(d[y], iterable)', **CONTAINER)
linear('y = tuple(iterable)', 'unlist(d[y], iterable)', **CONTAINER)
linear('y = queue_of(values, maxlen)', 'unlist(d[y], values)', **CONTAINER)
general('y = dict(items)', 'undict(d[y], items)', **CONTAINER)
linear('y = dict_tangent(given, items)', 'undict(d[y], items)', **CONTAINER)
linear('y = no_keys(given)', 'd[y]', **CONTAINER)
linear('y = undict(given, items)', 'dict_tangent(d[y], items)', **CONTAINER)
for zipped in 'zip', 'zipped':
    linear(f'y = {zipped}(*iterables)', 'unzip(d[y], iterables[i], i)', **CONTAINER)
linear('y = turned(rows)', 'unturned(d[y], rows)', **CONTAINER)
for backwards in 'reversed', 'reversed_list':
    linear(f'y = {backwards}(sequence)', 'unreversed(d[y], sequence)', **CONTAINER)
for counted in 'enumerate', 'enumerated':
    general(f'y = {counted}(iterable, start=0)', 'unenumerate(d[y], iterable)', forward='push_enumerated(d[iterable])',
            **CONTAINER)
general('y = push_enumerated(given)', 'unenumerate(d[y], given)', forward='push_enumerated(d[given])', **CONTAINER)
general('y = sorted(iterable, key=None, reverse=False)', 'unsorted(d[y], iterable, key=key, reverse=reverse)',
        forward='push_sorted(d[iterable], iterable, key=key, reverse=reverse)', **CONTAINER)
linear('y = own_parts(gradient)', 'd[y]', **CONTAINER)
linear('y = unlist(g, iterable)', 'relist(d[y], g, iterable)', **CONTAINER)
general('y = gradient_like(values, parts)', None, 'unlist(d[y], parts)', forward='gradient_like(values, d[parts])', **CONTAINER)
linear('y = copied(x, memo=None)', 'd[y]', also=[copy.deepcopy], **CONTAINER)
linear('y = held_alike(x)', 'd[y]', also=[copy.copy], **CONTAINER)
general('z = united(x, y)', 'unmerged(d[z], x, y)', 'unmerged(d[z], y)', forward='united(d[x], d[y])', **CONTAINER)
linear('z = unmerged(x, part, *later)', 'remerged(d[z], x, part, *later)', **CONTAINER)
linear('z = remerged(x, gradient, part, *later)', 'unmerged(d[z], part, *later)', **CONTAINER)
general('z = repeated(x, y)', 'unrepeated(d[z], x, y)', 'unrepeated(d[z], y, x)',
        forward='push_repeated(d[x], d[y], x, y)', **CONTAINER)
general('z = push_repeated(g, h, x, y)', *(f'unpush_repeated(d[z], {k}, g, h, x, y)' for k in range(4)),
        forward='push_repeated_again(d[g], d[h], d[x], d[y], g, h, x, y)', **CONTAINER)
general('y = displaced(obj)', 'undisplaced(d[y], obj)', also=[dataclasses.asdict, dataclasses.astuple],
        forward='push_displaced(d[obj], obj, y)', **CONTAINER)
general('y = replaced(obj, names, *values)', 'without(d[y], obj, names)', None, 'part_of(d[y], obj, names[i])', **CONTAINER)

general('y = math.prod(iterable, start=1)', 'unproduct(d[y], iterable, start)', 'd[y] * math.prod(iterable)',
        forward='push_product(d[iterable], d[start], iterable, start)')
general('z = math.dist(p, q)', 'undist(d[z], z, p, q)', 'undist(d[z], z, q, p)', forward='push_dist(d[p], d[q], z, p, q)')
