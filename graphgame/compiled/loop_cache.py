"""Object code of compiled loops, cached on disk: ``~/.cache/graphgame/loops``, or ``$XDG_CACHE_HOME/graphgame/loops``.

Cached code is executed. So a file is used only if nobody else has access to its folder and its digest is right.
``GRAPHGAME_LOOP_CACHE=off`` (or ``0`` or ``no``) turns the cache off.
"""

from __future__ import annotations

import hashlib
import math
import os
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType

from graphgame.errors import Message

_FORM = 6
"""Version of the file format and of the calling convention of the code. After a change, older files are not read."""

_DIGEST = 32
_UNUSED_FOR = 60 * 24 * 60 * 60
"""When a process first caches a loop, files that nobody has used for this many seconds (two months) are removed."""


@cache
def host_features() -> Mapping[str, bool]:
    """Return for each CPU feature that LLVM knows whether this machine has it; {} if LLVM cannot be loaded."""
    try:
        from llvmlite import binding

        return binding.get_host_cpu_features()  # type: ignore[no-any-return]
    except Exception:
        return {}


@cache
def _host() -> str:
    """Return a folder name that identifies everything outside the package that object code depends on."""
    import llvmlite
    from llvmlite import binding

    numba = find_spec("numba")
    release = Path(numba.origin).with_name("_version.py").read_bytes() if numba and numba.origin else b""
    cpu = binding.get_process_triple(), binding.get_host_cpu_name(), sorted(host_features().items())
    return hashlib.sha256(repr((_FORM, sys.version_info, release, llvmlite.__version__, cpu)).encode()).hexdigest()[:16]


def stamp(function: FunctionType, kinds: object) -> bytes:
    """Return a digest of what a loop is compiled from: code, globals, called functions, argument types (``kinds``)."""
    return hashlib.sha256(repr((kinds, [*_content(function)])).encode()).digest()


def _content(function: FunctionType) -> Iterator[object]:
    yield _content_of_code(function.__code__)
    for name, value in globals_of(function):
        if isinstance(value, (int, float)) or hasattr(value, "dtype"):
            yield name, value
        if fields := getattr(value, "_fields", None):  # the class of a NamedTuple that the loop makes
            yield name, fields
        if isinstance(value, FunctionType) and (is_part(value) or value.__module__ == function.__module__):
            yield from _content(value)


def _content_of_code(code: CodeType) -> tuple[object, ...]:
    """Return (bytecode, names, constants); nested code objects, whose repr has an address, become such triples too."""
    constants = [_content_of_code(each) if isinstance(each, CodeType) else each for each in code.co_consts]
    return code.co_code, code.co_names, constants


def globals_of(function: FunctionType) -> Iterator[tuple[str, object]]:
    """Yield (name, value) for each global of the module that a function's code names; ignore nested functions."""
    namespace = function.__globals__
    return ((name, namespace[name]) for name in function.__code__.co_names if name in namespace)


def is_part(value: object) -> bool:
    """Return whether a value is a function that compiled loops may call: ``inlined`` or ``instruction`` marks these."""
    return isinstance(value, FunctionType) and "generate" in vars(value)


def has_cached_code() -> bool:
    """Return whether loops were cached for this processor and the installed numba: a sign that numba works here."""
    with suppress(OSError):
        return _is_on() and (_private_folder() / _host()).is_dir()
    return False


def read_cached(name: str, source: bytes) -> bytes | None:
    """Return the code in the cached file ``name``; None if it is missing, damaged, or made from another source.

    Also None if the cache is off, or others have access to its folder. ``source`` is the digest from :func:`stamp`.
    """
    with suppress(OSError):
        if not _is_on():
            return None
        path = _private_folder() / _host() / name
        # Follow no link, and check the owner of the open file: the path itself could name another file a moment later.
        with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
            data = file.read() if _is_own(os.fstat(file.fileno()), stat.S_IFREG, 0o022) else b""
        if data[:_DIGEST] == _digest(data[_DIGEST:], source):
            os.utime(path)  # sets the file's time to now, the time of its last use
            return data[_DIGEST:]
    return None


def write_cached(name: str, source: bytes, code: bytes) -> None:
    """Write the code of a loop to the cached file ``name``. The first call removes files that were unused for long.

    ``source`` is the digest from :func:`stamp`. Do nothing if the cache is off. Raise an OSError if writing fails.
    """
    if not _is_on():
        return
    folder = _private_folder() / _host()
    folder.mkdir(mode=0o700, exist_ok=True)
    part = folder / os.urandom(8).hex()
    try:
        part.touch(0o600, exist_ok=False)
        part.write_bytes(_digest(code, source) + code)
        part.replace(folder / name)
    finally:
        part.unlink(missing_ok=True)
    _remove_old_files()


def remove_cached(unused_for: float = -math.inf) -> int:
    """Remove files unused for ``unused_for`` seconds (by default all) and empty folders; return the number of files."""
    count = 0
    for folder, _, names in os.walk(cache_folder(), topdown=False):
        for path in (Path(folder, name) for name in names):
            with suppress(OSError):  # another process may remove the same file
                if time.time() - path.lstat().st_mtime > unused_for:
                    path.unlink()
                    count += 1
        with suppress(OSError):  # fails if the folder is not empty
            Path(folder).rmdir()
    return count


_remove_old_files = cache(partial(remove_cached, _UNUSED_FOR))


def _is_on() -> bool:
    return os.environ.get("GRAPHGAME_LOOP_CACHE", "").lower() not in ("off", "0", "no")


def cache_folder() -> Path:
    """Return the folder for object code, which may not exist; raise an OSError if no parent folder is known for it."""
    caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
    with suppress(RuntimeError):  # Path.home() fails if the home folder is unknown
        caches = caches if caches.is_absolute() else Path.home() / ".cache"
    if not caches.is_absolute():
        raise FileNotFoundError(Message("no folder for cached files is known: set XDG_CACHE_HOME to an absolute path"))
    return caches / "graphgame" / "loops"


def _private_folder() -> Path:
    """Return the folder for object code, created if missing; raise an OSError if others own it or may access it."""
    folder = cache_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_own(folder.lstat(), stat.S_IFDIR, 0o077):
        raise PermissionError(
            Message("the folder {folder} is not private: nobody but you may own, read or write it", folder)
        )
    return folder


def _is_own(status: os.stat_result, kind: int, forbidden: int) -> bool:
    """Return whether a file has the type ``kind``, belongs to the user, and has none of the permissions ``forbidden``.

    On Windows only the type is checked: there the cache lies in the user's private profile.
    """
    own = sys.platform == "win32" or (status.st_uid == os.geteuid() and not status.st_mode & forbidden)
    return own and stat.S_IFMT(status.st_mode) == kind


def _digest(content: bytes, source: bytes) -> bytes:
    return hashlib.blake2b(content, key=source, digest_size=_DIGEST).digest()
