"""What a compiled loop was made from: the byte code of it and of its parts, its constants, the compiler's release."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

__all__ = ["globals_of", "numba_release", "stamp"]


def stamp(function: FunctionType, parts: Mapping[Any, Any], *more: object) -> bytes:
    """Return what tells a loop from its own other forms; ``parts`` are functions of other modules that count as well.

    A part that has another function as its meaning stands for that.
    """
    digest = hashlib.sha256(repr((sys.version_info[:3], numba_release(), more)).encode())
    for item in _content(function, parts):
        digest.update(item)
    return digest.digest()


def _content(function: FunctionType, parts: Mapping[Any, Any]) -> Iterator[bytes]:
    yield from _code_content(function.__code__)
    for name, value in globals_of(function):
        if isinstance(value, (int, float)) or hasattr(value, "dtype"):
            yield f"{name}={value!r}".encode()
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


@cache
def numba_release() -> str:
    """Return which numba is installed, by the folder that tells it: what reads that takes longer to load."""
    spec = find_spec("numba")
    if spec is None or spec.origin is None:
        return "unknown"
    found = [path.name for path in Path(spec.origin).parents[1].glob("numba-*.dist-info")]
    return found[0].removesuffix(".dist-info").partition("-")[2] if len(found) == 1 else "unknown"
