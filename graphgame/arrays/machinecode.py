"""Machine code of loops: kept in a folder of the user's, copied into memory, called with the memory of arrays.

Nothing here loads numba, which takes as long to start as many a graph takes to be solved, nor LLVM or numpy, which take
as long as a million moves: the code is linked when it is compiled, and arrays are known by their attributes. What is
read is run: so a file counts only in a folder that is the user's alone, and where a digest over all of it is right. The
digest is keyed by what the code was made from.
"""

from __future__ import annotations

import ctypes
import errno
import hashlib
import mmap
import os
import stat
import struct
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from math import prod
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from graphgame.arrays.linking import library_address, linked
from graphgame.errors import Message

ArgumentKind: TypeAlias = "str | tuple[str, int, str, bool]"
"""The type of an argument: a number's name, "none", or an array's dtype, dimensions, layout and alignment."""

_NUMBERS: dict[str, Any] = {
    "none": ctypes.c_void_p,
    "bool": ctypes.c_int8,
    "float64": ctypes.c_double,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
}
_BYTE = ctypes.c_char
_PLAIN = frozenset({bool, float, int, type(None)})
_LIMIT = 1 << 63
_DIGEST = 32
_FINE = (0, -2)
"""What a function returns that ends well, with a result and without."""


class MachineCode(NamedTuple):
    """A function as one piece of memory; ``result`` are the numbers that it returns as :mod:`struct` writes them.

    ``places`` are where it begins, and where addresses belong, of functions of the C library and of places in it:
    ``0 memset@96 64@208``.
    """

    places: str
    result: str
    image: bytes


class RawArray(NamedTuple):
    """An array without numpy, for loops and for Python to look into: by items in ``view``, by bytes in ``room``."""

    kind: ArgumentKind
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    view: memoryview
    room: mmap.mmap
    address: int


_ITEMS: dict[str, Literal["q", "i", "B"]] = {"<i8": "q", "<i4": "i", "|u1": "B"}


def zeros(dtype: str, *shape: int) -> Any:  # noqa: ANN401
    """Return a :class:`RawArray` of zeros, which loops take as one of numpy.

    It has large pages where the system has them; what is not written to takes no memory.
    """
    item = struct.calcsize(_ITEMS[dtype])
    length = max(1, prod(shape)) * item
    if sys.platform == "linux":
        room = mmap.mmap(-1, length, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)  # what is shared has small pages
        with suppress(OSError):  # a system without large ones
            room.madvise(mmap.MADV_HUGEPAGE)
    else:
        room = mmap.mmap(-1, length)
    strides = tuple(item * prod(shape[axis + 1 :]) for axis in range(len(shape)))
    address = ctypes.addressof(ctypes.c_char.from_buffer(room))
    return RawArray((dtype, len(shape), "C", True), shape, strides, memoryview(room).cast(_ITEMS[dtype]), room, address)


def is_array(argument: object) -> bool:
    """Tell arrays from numbers: those of numpy have no dimension, others no shape."""
    return getattr(argument, "shape", ()) != ()


def argument_kind(argument: Any) -> ArgumentKind:  # noqa: ANN401
    """Return the type for which a loop is compiled; raise a TypeError where no loop takes such an argument."""
    if isinstance(argument, RawArray):
        return argument.kind
    if is_array(argument):
        layout = "C" if argument.flags.c_contiguous else "A"
        return argument.dtype.str, argument.ndim, layout, argument.flags.aligned
    if argument is None:
        return "none"
    if isinstance(argument, bool):
        return "bool"
    if isinstance(argument, int):
        return "int64"
    if isinstance(argument, float):
        return "float64"
    dtype = getattr(argument, "dtype", None)
    if dtype is None or dtype.kind not in "biu":
        raise TypeError(Message("a loop takes arrays and numbers, not {kind}", type(argument).__name__))
    return "bool" if dtype.kind == "b" else "uint64" if dtype.str == "<u8" else "int64"


def signature(argument: Any) -> Any:  # noqa: ANN401
    """Return what a loop's types follow from, in less time than :func:`argument_kind`; also of what no loop takes."""
    if (kind := type(argument)) in _PLAIN:
        return kind
    if kind is RawArray:
        return argument.kind
    flags = getattr(argument, "flags", None)
    return kind if flags is None else (argument.dtype, argument.ndim, flags.num)


@cache
def processor() -> bytes:
    """Return what tells a processor and what it can do from others, as Linux writes it; nothing on other systems."""
    try:
        with open("/proc/cpuinfo", "rb", buffering=0) as file:  # noqa: PTH123
            first = file.read(1 << 14).partition(b"\n\n")[0]
    except OSError:
        return b""
    kept = (b"vendor_id", b"cpu family", b"model", b"stepping", b"flags")
    return b"\n".join(line for line in first.splitlines() if line.startswith(kept))


def machine_code(assembly: Any, name: str, result: str) -> MachineCode:  # noqa: ANN401
    """Return LLVM's module as machine code for this processor; a place in it depends on no other address."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_triple(binding.get_process_triple())
    machine = target.create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=binding.get_host_cpu_features().flatten(),
        opt=3,
        reloc="pic",
        codemodel="small",
    )
    image, start, addresses = linked(machine.emit_object(assembly), name)
    return MachineCode(" ".join([str(start), *(f"{called}@{at}" for at, called in addresses.items())]), result, image)


def link(code: MachineCode, kinds: Sequence[ArgumentKind]) -> Callable[[Sequence[Any]], Any]:
    """Load a function into this process; returns what calls it with arguments of these kinds.

    The call holds no lock; it raises a RuntimeError where the function ends in an error. The function's first arguments
    are where it writes its result and its error, then come the numbers; an array is its owner's two pointers (none
    here), its size, item size, address, shape and strides.
    """
    memory = _executable(code)
    types = [ctypes.c_void_p, ctypes.c_void_p, *(part for kind in kinds for part in _types(kind))]
    start = int(code.places.partition(" ")[0])
    function = ctypes.CFUNCTYPE(ctypes.c_int32, *types)(_address(memory) + start)
    result = struct.Struct(code.result)
    room_of_result = ctypes.c_char * max(16, result.size)
    takers = [_PARTS[kind] if isinstance(kind, str) else None for kind in kinds]

    # The memory that the code lies in must live as long as what calls it.
    def call(arguments: Sequence[Any], _memory: object = memory) -> Any:  # noqa: ANN401
        room = room_of_result()
        parts: list[Any] = [room, room]
        for argument, take in zip(arguments, takers, strict=True):
            parts += take(argument) if take else _array_parts(argument)
        status = function(*parts)
        if status not in _FINE:
            raise RuntimeError(Message("a compiled loop ended with status {status}", status))
        found = result.unpack_from(room)
        return found if len(found) > 1 else found[0] if found else None

    return call


def _executable(code: MachineCode) -> mmap.mmap:
    """Return memory with machine code in it that may be run, and no more be written to."""
    memory = mmap.mmap(-1, len(code.image), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.write(code.image)
    for place in code.places.split()[1:]:
        what, _, at = place.partition("@")
        address = _address(memory) + int(what) if what.isdigit() else library_address(what)
        struct.pack_into("<Q", memory, int(at), address)
    size, rights = ctypes.c_size_t(len(memory)), mmap.PROT_READ | mmap.PROT_EXEC
    if ctypes.CDLL(None).mprotect(ctypes.c_void_p(_address(memory)), size, rights):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return memory


def _types(kind: ArgumentKind) -> list[Any]:
    if isinstance(kind, str):
        return [_NUMBERS[kind]]
    pointer, size = ctypes.c_void_p, ctypes.c_ssize_t
    return [pointer, pointer, size, size, pointer, *[size] * 2 * kind[1]]


def _array_parts(array: Any) -> tuple[Any, ...]:  # noqa: ANN401
    if isinstance(array, RawArray):
        size, item = prod(array.shape), array.view.itemsize
        return (None, None, size, item, array.address, *array.shape, *array.strides)
    size = array.size
    address = _address(array) if size else None
    return (None, None, size, array.itemsize, address, *array.shape, *array.strides)


def _number_parts(least: int, most: int) -> Callable[[Any], tuple[int]]:
    def parts(argument: Any) -> tuple[int]:  # noqa: ANN401
        number = int(argument)
        if not least <= number <= most:  # ctypes would cut off what does not fit, without a word
            raise OverflowError(Message("{number} does not fit into 64 bits", number))
        return (number,)

    return parts


def _itself(argument: Any) -> tuple[Any]:  # noqa: ANN401
    return (argument,)


_PARTS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "none": _itself,
    "bool": _number_parts(0, 1),
    "float64": _itself,
    "int64": _number_parts(-_LIMIT, _LIMIT - 1),
    "uint64": _number_parts(0, 2 * _LIMIT - 1),
}


def _address(array: Any) -> int:  # noqa: ANN401
    try:
        return ctypes.addressof(_BYTE.from_buffer(array))
    except (TypeError, ValueError, BufferError):  # read-only, empty or not in one piece: asked in four times the time
        return int(array.__array_interface__["data"][0])


def read_kept(name: str, made_from: bytes) -> MachineCode | None:
    """Return the machine code kept under a name, where it was made from the same and the file is whole."""
    with suppress(OSError):
        kept = _read_own(private_folder() / name)
        digest, content = kept[:_DIGEST], kept[_DIGEST:]
        if digest == _digest(content, made_from):
            places, result, image = content.split(b"\n", 2)
            return MachineCode(places.decode(), result.decode(), image)
    return None


def keep(name: str, made_from: bytes, code: MachineCode) -> None:
    """Write a file, whole or not at all; raise an OSError if the user has no folder for it."""
    content = b"\n".join([code.places.encode(), code.result.encode(), code.image])
    _write(private_folder() / name, _digest(content, made_from) + content)


def private_folder() -> Path:
    """Return the user's folder for machine code, which is run: raise an OSError where others may write to it."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", ""))
    with suppress(RuntimeError):  # nobody's home is known
        cache = cache if cache.is_absolute() else Path.home() / ".cache"
    if not cache.is_absolute():
        raise FileNotFoundError(Message("the user has no folder for caches"))
    folder = cache / "graphgame" / "loops"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_own(folder.lstat(), stat.S_IFDIR, 0o077):
        raise PermissionError(Message("{folder} is not the user's alone", folder))
    return folder


def _is_own(status: os.stat_result, kind: int, others: int) -> bool:
    """Tell whether something is of a kind, the user's, and closed to others; Windows has its profiles for that."""
    own = sys.platform == "win32" or (status.st_uid == os.geteuid() and not status.st_mode & others)
    return own and stat.S_IFMT(status.st_mode) == kind


def _read_own(path: Path) -> bytes:
    # No link is followed, and the owner is asked of the open file: by its path it could be another one by then.
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
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
