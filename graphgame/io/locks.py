"""Locks on open files: one process holds a file, and the system lets go of it when the process ends."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

_FAR = 1 << 30
"""The byte that is locked on Windows: it lies beyond the end of the file, for others cannot read a locked byte."""


def lock(file: int) -> None:
    """Lock an open file, given by its descriptor, until it is closed.

    Raises
    ------
    OSError
        Another process holds the file, or the file system has no locks.

    Notes
    -----
    A system without ``fcntl`` and ``msvcrt``, as in a browser, has one process: nothing is locked.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryFile() as file:
    ...     lock(file.fileno())
    """
    try:
        import fcntl
    except ImportError:
        _lock_a_byte(file)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _lock_a_byte(file: int) -> None:
    try:
        msvcrt: Any = import_module("msvcrt")
    except ImportError:
        return
    here = os.lseek(file, 0, os.SEEK_CUR)
    os.lseek(file, _FAR, os.SEEK_SET)
    try:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    finally:
        os.lseek(file, here, os.SEEK_SET)
