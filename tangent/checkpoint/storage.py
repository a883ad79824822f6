"""Where the states of a loop are kept: in memory, or in files of a directory that lives as long as they do."""
import os
import pickle
import shutil
import tempfile
import weakref

from tangent.errors import ArgumentError


class Memory(dict):
    """Position -> state."""

    keep = dict.__setitem__

    def drop(self, position):
        self.pop(position, None)

    def clean(self):
        self.clear()


class Disk:
    """The same in files; the directory made for them goes when this does, or when it is cleaned."""

    def __init__(self, directory=None):
        self.place, self.positions = tempfile.mkdtemp(prefix='tangent-', dir=directory), set()
        self.finalizer = weakref.finalize(self, shutil.rmtree, self.place, ignore_errors=True)

    def __contains__(self, position):
        return position in self.positions

    def __iter__(self):
        return iter(self.positions)

    def __len__(self):
        return len(self.positions)

    def path(self, position):
        return os.path.join(self.place, f'{position}.state')

    def keep(self, position, state):
        with open(self.path(position), 'wb') as file:
            pickle.dump(state, file, protocol=pickle.HIGHEST_PROTOCOL)
        self.positions.add(position)

    def __getitem__(self, position):
        with open(self.path(position), 'rb') as file:
            return pickle.load(file)

    def drop(self, position):
        if position in self.positions:
            self.positions.remove(position)
            os.remove(self.path(position))

    def clean(self):
        self.positions.clear()
        self.finalizer()


def storage(where):
    """The storage that `storage=` of `checkpointed` means."""
    if where == 'memory':
        return Memory()
    if where == 'disk':
        return Disk()
    if not isinstance(where, (str, os.PathLike)) or not os.path.isdir(where):
        raise ArgumentError(f"storage is {where!r}: it has to be 'memory', 'disk' or a directory that is there")
    return Disk(where)
