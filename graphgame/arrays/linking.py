"""Machine code as one piece of memory: what a compiler writes as an object file, linked when it is compiled.

An object file has sections, symbols and relocations, places that depend on where others lie. Here most are distances:
they are filled in, and what is left to a process is to copy the piece and to write a few addresses, of its own parts
and of the functions of the C library, such as ``memset``, that the compiler calls on its own.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator
from typing import NamedTuple

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_DISTANCE = struct.Struct("<i")
_CODE_OR_CONSTANTS, _SYMBOLS, _RELOCATIONS = 1, 2, 4
_WRITTEN, _LOADED = 1, 2
_ABSOLUTE, _RELATIVE = 1, (2, 4)
"""The kinds of relocations of x86-64 that are an address, and those that are a distance."""

_FIXED = b".data.rel.ro\0"
"""The section of constants with addresses in them, which is written to only when these are."""

_JUMP = b"\xff\x25\x00\x00\x00\x00"
"""A jump to the address that stands in the eight bytes behind it."""


class UnlinkableError(Exception):
    """An object file needs more than distances and functions of the C library."""


class Linked(NamedTuple):
    """A piece of memory, where its function begins, and where which addresses belong: a place in it, or a function."""

    image: bytes
    start: int
    addresses: dict[int, str | int]


class _Section(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    target: int
    alignment: int
    item: int

    def content(self, binary: bytes) -> bytes:
        return binary[self.offset : self.offset + self.size]


def linked(binary: bytes, name: str) -> Linked:
    """Link an object file of ELF for x86-64 that has one function of this name to call.

    Raises
    ------
    UnlinkableError
        It writes to memory of its own, or needs what the C library has not.
    """
    (table,) = struct.unpack_from("<Q", binary, 40)
    (count,) = struct.unpack_from("<H", binary, 60)
    sections = [_Section(*_SECTION.unpack_from(binary, table + _SECTION.size * i)) for i in range(count)]
    image, starts = _laid_out(binary, sections)
    symbols = next(section for section in sections if section.kind == _SYMBOLS)
    names = sections[symbols.link].content(binary)
    places: list[tuple[str, int | None]] = []
    for where, _, _, number, value, _ in _SYMBOL.iter_unpack(symbols.content(binary)):
        place = starts[number] + value if number in starts else None if number else -1
        places.append((names[where : names.index(0, where)].decode(), place))
    addresses: dict[int, str | int] = {}
    for place, symbol, kind, more in _relocations(binary, sections, starts):
        called, target = places[symbol]
        if target == -1:
            target = len(image) + -len(image) % 16
            places[symbol] = called, target
            addresses[target + len(_JUMP)] = called
            image += bytes(target - len(image)) + _JUMP + bytes(8)
            if not library_address(called):
                raise UnlinkableError(called)
        if target is None or kind not in (_ABSOLUTE, *_RELATIVE):
            raise UnlinkableError(called)
        if kind == _ABSOLUTE:
            addresses[place] = target + more
        else:
            _DISTANCE.pack_into(image, place, target + more - place)
    return Linked(bytes(image), dict(places)[name] or 0, addresses)


def _laid_out(binary: bytes, sections: list[_Section]) -> tuple[bytearray, dict[int, int]]:
    """Return code and constants one behind the other, and where the section of a number begins."""
    image, starts = bytearray(), dict[int, int]()
    (named,) = struct.unpack_from("<H", binary, 62)
    names = sections[named].content(binary)
    for number, section in enumerate(sections):
        if section.flags & _LOADED and section.size:
            fixed = not section.flags & _WRITTEN or names.startswith(_FIXED, section.name)
            if section.kind != _CODE_OR_CONSTANTS or not fixed:
                raise UnlinkableError("writable")
            image += bytes(-len(image) % max(section.alignment, 1))
            starts[number] = len(image)
            image += section.content(binary)
    return image, starts


def _relocations(
    binary: bytes, sections: list[_Section], starts: dict[int, int]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield each place that depends on where a symbol lies, the symbol, how it depends, and what is added."""
    for section in sections:
        if section.kind == _RELOCATIONS and section.target in starts:
            for offset, what, more in _RELOCATION.iter_unpack(section.content(binary)):
                yield starts[section.target] + offset, what >> 32, what & 0xFFFF_FFFF, more


def library_address(name: str) -> int:
    """Return where a function of the C library lies; 0 where there is none of this name."""
    function = getattr(ctypes.CDLL(None), name, None)
    return ctypes.cast(function, ctypes.c_void_p).value or 0 if function else 0
