"""Simulate Windows, where files in use cannot be deleted, and locks are those of ``msvcrt``."""

import errno
import os
import struct
import sys
import types
from pathlib import Path

import pytest

fcntl = pytest.importorskip("fcntl", reason="simulates a system on one that has fcntl")


def keep_files_in_use(monkeypatch):
    """As on Windows, make it an error to delete or replace a file that this process has open or mapped."""
    for name, count in (("unlink", 1), ("remove", 1), ("replace", 2), ("rename", 2)):
        monkeypatch.setattr(os, name, _refusing(getattr(os, name), count))


def _refusing(function, count):
    def refuse(*arguments, **named):
        for path in arguments[:count]:
            if _is_in_use(path):
                raise PermissionError(errno.EACCES, "The process cannot access the file", os.fspath(path))
        return function(*arguments, **named)

    return refuse


def _is_in_use(path):
    name = os.path.realpath(path)
    if any(line.endswith(name) for line in Path("/proc/self/maps").read_text().splitlines()):
        return True
    return name in map(_link, Path("/proc/self/fd").iterdir())


def _link(path):
    try:
        return str(path.readlink())
    except FileNotFoundError:  # closed meanwhile
        return None


def lock_as_on_windows(monkeypatch):
    """Replace ``fcntl`` and ``resource`` by ``msvcrt``, which locks bytes."""

    def locking(file, mode, count):
        assert (mode, count) == (2, 1)
        owner = 37  # F_OFD_SETLK: the lock belongs to the open file, as on Windows, not to the process
        fcntl.fcntl(file, owner, _flock(os.lseek(file, 0, os.SEEK_CUR), count))

    monkeypatch.setitem(sys.modules, "msvcrt", types.SimpleNamespace(LK_NBLCK=2, locking=locking))
    without(monkeypatch, "fcntl", "resource")


def _flock(start, count):
    return struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, start, count, 0)


def without(monkeypatch, *modules):
    """Make the import of modules fail, as on a system without them."""
    for name in modules:
        monkeypatch.setitem(sys.modules, name, None)
