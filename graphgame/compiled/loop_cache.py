"""Object code of compiled loops, cached on disk: ``~/.cache/graphgame/loops``, or ``$XDG_CACHE_HOME/graphgame/loops``.

Cached code is executed. So a file counts only in a folder that nobody else can write to, and only if its digest is
right. ``GRAPHGAME_LOOP_CACHE=off`` turns the cache off.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from graphgame.errors import Message

_DIGEST = 32
_DAY = 24 * 60 * 60
_KEPT_FOR = 60 * _DAY


class ObjectCode(NamedTuple):
    """An object file, the C function in it to call, and what that writes as its result, in the letters of struct."""

    symbol: str
    result: str
    image: bytes


def is_cached() -> bool:
    """Return whether the environment leaves the cache on."""
    return os.environ.get("GRAPHGAME_LOOP_CACHE", "").lower() not in ("off", "0", "no")


@cache
def numba_release() -> str:
    """Return numba's version from the name of its metadata folder; importlib.metadata takes longer to load."""
    spec = find_spec("numba")
    if spec is None or spec.origin is None:
        return "unknown"
    folders = [path.name for path in Path(spec.origin).parents[1].glob("numba-*.dist-info")]
    return folders[0].removesuffix(".dist-info").partition("-")[2] if len(folders) == 1 else "unknown"


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

    releases = sys.version_info[:3], numba_release(), llvmlite.__version__
    cpu = binding.get_host_cpu_name(), sorted(host_features().items())
    return hashlib.sha256(repr((releases, binding.get_process_triple(), cpu)).encode()).hexdigest()[:16]


def stamp(function: FunctionType, parts: Mapping[Any, Any], *more: object) -> bytes:
    """Return a digest of a loop's bytecode, constants and functions that it calls.

    ``parts`` has the functions of other modules that count. A part that maps to another function stands for that one.
    """
    digest = hashlib.sha256(repr(more).encode())
    for item in _content(function, parts):
        digest.update(item)
    return digest.digest()


def _content(function: FunctionType, parts: Mapping[Any, Any]) -> Iterator[bytes]:
    yield from _code_content(function.__code__)
    for name, value in globals_of(function):
        if isinstance(value, (int, float)) or hasattr(value, "dtype"):
            yield f"{name}={value!r}".encode()
        if fields := getattr(value, "_fields", None):  # of a record that the loop makes
            yield f"{name}={fields!r}".encode()
    for _, value in globals_of(function):
        if isinstance(value, FunctionType) and (value in parts or value.__module__ == function.__module__):
            yield from _content(parts.get(value) or value, parts)


def globals_of(function: FunctionType) -> Iterator[tuple[str, object]]:
    """Yield the globals that a function uses, by name."""
    known = function.__globals__
    return ((name, known[name]) for name in _names(function.__code__) if name in known)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _code_content(code: CodeType) -> Iterator[bytes]:
    yield code.co_code
    yield repr(code.co_names).encode()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_content(constant)
        else:
            yield repr(constant).encode()


def has_cached_code() -> bool:
    """Return whether some loop was cached for this processor by the installed numba, which then worked."""
    with suppress(OSError):
        return is_cached() and (_private_folder() / _host()).is_dir()
    return False


def read_cached(name: str, made_from: bytes) -> ObjectCode | None:
    """Return the code cached under a name if it was made from the same source and the file is intact."""
    if not is_cached():
        return None
    with suppress(OSError):
        path = _private_folder() / _host() / name
        data = _read_own(path)
        digest, content = data[:_DIGEST], data[_DIGEST:]
        if digest == _digest(content, made_from):
            os.utime(path)  # a file that is used is not old
            symbol, result, image = content.split(b"\n", 2)
            return ObjectCode(symbol.decode(), result.decode(), image)
    return None


def write_cached(name: str, made_from: bytes, code: ObjectCode) -> None:
    """Write a file, whole or not at all, and remove old ones; raise an OSError if there is no private folder."""
    if not is_cached():
        return
    content = b"\n".join([code.symbol.encode(), code.result.encode(), code.image])
    folder = _private_folder() / _host()
    folder.mkdir(mode=0o700, exist_ok=True)
    _write(folder / name, _digest(content, made_from) + content)
    _remove_old_files()


@cache
def _remove_old_files() -> None:
    """Remove files that were not used for two months: of earlier releases, processors and versions of a loop."""
    for folder, _, names in os.walk(_private_folder(), topdown=False):
        for path in (Path(folder, name) for name in names):
            with suppress(OSError):  # another process removes them too
                if time.time() - path.lstat().st_mtime > _KEPT_FOR:
                    path.unlink()
        with suppress(OSError):  # not empty
            Path(folder).rmdir()


def _private_folder() -> Path:
    """Return the folder for object code, which is executed: raise an OSError if others may write to it."""
    caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
    with suppress(RuntimeError):  # the home folder is unknown
        caches = caches if caches.is_absolute() else Path.home() / ".cache"
    if not caches.is_absolute():
        raise FileNotFoundError(Message("the user has no folder for caches"))
    folder = caches / "graphgame" / "loops"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_own(folder.lstat(), stat.S_IFDIR, 0o077):
        raise PermissionError(Message("{folder} is not the user's alone", folder))
    return folder


def _is_own(status: os.stat_result, kind: int, others: int) -> bool:
    """Return whether a file belongs to the user and is closed to others; Windows has its profiles for that."""
    own = sys.platform == "win32" or (status.st_uid == os.geteuid() and not status.st_mode & others)
    return own and stat.S_IFMT(status.st_mode) == kind


def _read_own(path: Path) -> bytes:
    # No link is followed, and the owner is asked of the open file: the path could name another file by then.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle, "rb") as file:
        if not _is_own(os.fstat(handle), stat.S_IFREG, 0o022):
            raise PermissionError(Message("{path} is not the user's", path))
        return file.read()


def _digest(content: bytes, made_from: bytes) -> bytes:
    return hashlib.blake2b(content, key=made_from, digest_size=_DIGEST).digest()


def _write(path: Path, content: bytes) -> None:
    part = path.with_name(os.urandom(8).hex())
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
