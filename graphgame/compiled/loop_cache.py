"""Object code of compiled loops, cached on disk: ``~/.cache/graphgame/loops``, or ``$XDG_CACHE_HOME/graphgame/loops``.

Cached code is executed. So a file counts only in a folder that nobody else can write to, and only if its digest is
right. ``GRAPHGAME_LOOP_CACHE=off`` turns the cache off.
"""

from __future__ import annotations

import hashlib
import marshal
import math
import os
import stat
import sys
import time
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

from graphgame.errors import Message

_FORM = 4
"""The form of files, of the code in them and of how it is called: a new number leaves all older files alone."""

_DIGEST = 32
_UNUSED_FOR = 60 * 24 * 60 * 60


class ObjectCode(NamedTuple):
    """What the C function ``loop`` returns, in the letters of struct, and the object file with that function."""

    results: str
    image: bytes


@cache
def host_features() -> Mapping[str, bool]:
    """Return the CPU features that LLVM finds on this machine; none if LLVM cannot be loaded."""
    try:
        from llvmlite import binding

        return binding.get_host_cpu_features()  # type: ignore[no-any-return]
    except Exception:
        return {}


@cache
def _host() -> str:
    """Return everything outside the package that object code depends on, as the name of a folder."""
    import llvmlite
    from llvmlite import binding

    numba = find_spec("numba")
    release = Path(numba.origin).with_name("_version.py").read_bytes() if numba and numba.origin else b""
    cpu = binding.get_process_triple(), binding.get_host_cpu_name(), sorted(host_features().items())
    return hashlib.sha256(repr((_FORM, sys.version_info, release, llvmlite.__version__, cpu)).encode()).hexdigest()[:16]


def stamp(function: FunctionType, parts: Container[object], kinds: object) -> bytes:
    """Return a digest of what a loop is compiled from: bytecode, constants, functions called, types of arguments."""
    return hashlib.sha256(repr((kinds, [*_content(function, parts)])).encode()).digest()


def _content(function: FunctionType, parts: Container[object]) -> Iterator[object]:
    yield _code_content(function.__code__)
    for name, value in globals_of(function):
        if isinstance(value, (int, float)) or hasattr(value, "dtype"):
            yield name, value
        if fields := getattr(value, "_fields", None):  # of a record that the loop makes
            yield name, fields
        if isinstance(value, FunctionType) and (value in parts or value.__module__ == function.__module__):
            yield from _content(value, parts)


def _code_content(code: CodeType) -> object:
    constants = [_code_content(item) if isinstance(item, CodeType) else item for item in code.co_consts]
    return code.co_code, code.co_names, constants


def globals_of(function: FunctionType) -> Iterator[tuple[str, object]]:
    """Yield the globals that a function uses, by name."""
    known = function.__globals__
    return ((name, known[name]) for name in function.__code__.co_names if name in known)


def has_cached_code() -> bool:
    """Return whether some loop was cached for this processor by the installed numba, which then worked."""
    with suppress(OSError):
        return _is_on() and (_private_folder() / _host()).is_dir()
    return False


def read_cached(name: str, made_from: bytes) -> ObjectCode | None:
    """Return the code cached under a name if it was made from the same source and the file is intact."""
    with suppress(OSError):
        if not _is_on():
            return None
        path = _private_folder() / _host() / name
        # No link is followed, and the owner is asked of the open file: the path could name another file by then.
        with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
            data = file.read() if _is_own(os.fstat(file.fileno()), stat.S_IFREG, 0o022) else b""
        if data[:_DIGEST] == _digest(data[_DIGEST:], made_from):
            os.utime(path)  # a file that is used is not old
            return ObjectCode(*marshal.loads(data[_DIGEST:]))
    return None


def write_cached(name: str, made_from: bytes, code: ObjectCode) -> None:
    """Write a file, whole or not at all, and remove old ones; raise an OSError if there is no private folder."""
    if not _is_on():
        return
    folder = _private_folder() / _host()
    folder.mkdir(mode=0o700, exist_ok=True)
    content, part = marshal.dumps(tuple(code)), folder / os.urandom(8).hex()
    try:
        part.touch(0o600, exist_ok=False)
        part.write_bytes(_digest(content, made_from) + content)
        part.replace(folder / name)
    finally:
        part.unlink(missing_ok=True)
    _remove_old_files()


@cache
def _remove_old_files() -> None:
    """Remove files that were not used for two months: of earlier releases, processors and versions of a loop."""
    remove_cached(_UNUSED_FOR)


def remove_cached(unused_for: float = -math.inf) -> int:
    """Remove the cached files, or those that were not used for some seconds; return how many there were."""
    count = 0
    for folder, _, names in os.walk(cache_folder(), topdown=False):
        for path in (Path(folder, name) for name in names):
            with suppress(OSError):  # another process removes them too
                if time.time() - path.lstat().st_mtime > unused_for:
                    path.unlink()
                    count += 1
        with suppress(OSError):  # not empty
            Path(folder).rmdir()
    return count


def _is_on() -> bool:
    return os.environ.get("GRAPHGAME_LOOP_CACHE", "").lower() not in ("off", "0", "no")


def cache_folder() -> Path:
    """Return the folder for object code, whether it exists or not: raise an OSError if the user has none."""
    caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
    with suppress(RuntimeError):  # the home folder is unknown
        caches = caches if caches.is_absolute() else Path.home() / ".cache"
    if not caches.is_absolute():
        raise FileNotFoundError(Message("the user has no folder for caches"))
    return caches / "graphgame" / "loops"


def _private_folder() -> Path:
    """Return the folder for object code, which is executed: raise an OSError if others may write to it."""
    folder = cache_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_own(folder.lstat(), stat.S_IFDIR, 0o077):
        raise PermissionError(Message("{folder} is not the user's alone", folder))
    return folder


def _is_own(status: os.stat_result, kind: int, others: int) -> bool:
    """Return whether a file belongs to the user and is closed to others; Windows has its profiles for that."""
    own = sys.platform == "win32" or (status.st_uid == os.geteuid() and not status.st_mode & others)
    return own and stat.S_IFMT(status.st_mode) == kind


def _digest(content: bytes, made_from: bytes) -> bytes:
    return hashlib.blake2b(content, key=made_from, digest_size=_DIGEST).digest()
