"""Machine code of loops: kept in a folder of the user's, loaded by LLVM alone, called with the memory of arrays.

Nothing here loads numba, which takes as long to start as many a graph takes to be solved, nor numpy, which takes as
long as a million moves: arrays are known by their attributes. What is read is run: so a file counts only in a folder
that is the user's alone, and where a digest over all of it is right. The digest is keyed by what the code was made
from.
"""

from __future__ import annotations

import ctypes
import hashlib
import mmap
import os
import stat
import struct
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import numpy as np

__all__ = [
    "ArgumentKind",
    "MachineCode",
    "RawArray",
    "argument_kind",
    "host",
    "is_array",
    "keep",
    "link",
    "private_folder",
    "read_kept",
    "target_machine",
    "zeros",
]

ArgumentKind: TypeAlias = "str | tuple[str, int, str, bool]"
"""The type of an argument: a number's name, "none", or an array's dtype, dimensions, layout and alignment."""

_NUMBERS: dict[str, Any] = {
    "none": ctypes.c_void_p,
    "bool": ctypes.c_int8,
    "float64": ctypes.c_double,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
}
_LIMIT = 1 << 63
_DIGEST = 32
_FINE = (0, -2)
"""What a function returns that ends well, with a result and without."""


class MachineCode(NamedTuple):
    """An object file, the name of its function, and the numbers that this returns as :mod:`struct` writes them."""

    name: str
    result: str
    binary: bytes


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
        raise TypeError(f"a loop takes arrays and numbers, not {type(argument).__name__}")
    return "bool" if dtype.kind == "b" else "uint64" if dtype.str == "<u8" else "int64"


@cache
def host() -> tuple[str, str, str]:
    """Return the system, the processor and what it can do, as LLVM names them."""
    from llvmlite import binding

    try:
        features = binding.get_host_cpu_features().flatten()
    except RuntimeError:
        features = ""
    return binding.get_process_triple(), binding.get_host_cpu_name(), features


def target_machine() -> Any:  # noqa: ANN401
    """Return LLVM's description of this machine, for code that runs in this process; as numba asks for it."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    reloc = "static" if target.name.startswith("x86") else "default"
    _, cpu, features = host()
    return target.create_target_machine(
        cpu=cpu, features=features, opt=3, reloc=reloc, codemodel="jitdefault", jit=True
    )


def link(code: MachineCode, kinds: Sequence[ArgumentKind]) -> Callable[[Sequence[Any]], Any]:
    """Load a function into this process; returns what calls it with arguments of these kinds.

    The call holds no lock; it raises a RuntimeError where the function ends in an error. The function's first arguments
    are where it writes its result and its error, then come the numbers; an array is its owner's two pointers (none
    here), its size, item size, address, shape and strides.
    """
    from llvmlite import binding

    # An engine starts from a module, here an empty one: the code is an object file already.
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), target_machine())
    engine.add_object_file(binding.ObjectFileRef.from_data(code.binary))
    engine.finalize_object()
    types = [ctypes.c_void_p, ctypes.c_void_p, *(part for kind in kinds for part in _types(kind))]
    function = ctypes.CFUNCTYPE(ctypes.c_int32, *types)(engine.get_function_address(code.name))
    result = struct.Struct(code.result)

    # The engine owns the memory that the code lies in: it must live as long as what calls it.
    def call(arguments: Sequence[Any], _engine: object = engine) -> Any:  # noqa: ANN401
        room = ctypes.create_string_buffer(max(16, result.size))
        status = function(room, room, *(part for argument in arguments for part in _parts(argument)))
        if status not in _FINE:
            raise RuntimeError(f"a compiled loop ended with status {status}")
        found = result.unpack_from(room)
        return found if len(found) > 1 else found[0] if found else None

    return call


def _types(kind: ArgumentKind) -> list[Any]:
    if isinstance(kind, str):
        return [_NUMBERS[kind]]
    pointer, size = ctypes.c_void_p, ctypes.c_ssize_t
    return [pointer, pointer, size, size, pointer, *[size] * 2 * kind[1]]


def _parts(argument: Any) -> tuple[Any, ...]:  # noqa: ANN401
    if isinstance(argument, RawArray):
        return (
            None,
            None,
            prod(argument.shape),
            argument.view.itemsize,
            argument.address,
            *argument.shape,
            *argument.strides,
        )
    if is_array(argument):
        return None, None, argument.size, argument.itemsize, _address(argument), *argument.shape, *argument.strides
    if argument is None or isinstance(argument, float):
        return (argument,)
    number = int(argument)
    # ctypes would cut off what does not fit, without a word.
    if not -_LIMIT <= number < 2 * _LIMIT or (number >= _LIMIT and argument_kind(argument) != "uint64"):
        raise OverflowError(f"{number} does not fit into 64 bits")
    return (number,)


def _address(array: np.ndarray) -> int:
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type]
    except (TypeError, ValueError, BufferError):  # read-only, empty or not in one piece: asked in four times the time
        return int(array.__array_interface__["data"][0])


def read_kept(name: str, made_from: bytes) -> MachineCode | None:
    """Return the machine code kept under a name, where it was made from the same and the file is whole."""
    with suppress(OSError):
        kept = _read_own(private_folder() / name)
        digest, content = kept[:_DIGEST], kept[_DIGEST:]
        if digest == _digest(content, made_from):
            function, result, binary = content.split(b"\n", 2)
            return MachineCode(function.decode(), result.decode(), binary)
    return None


def keep(name: str, made_from: bytes, code: MachineCode) -> None:
    """Write a file, whole or not at all, where the user has a folder for it."""
    content = b"\n".join([code.name.encode(), code.result.encode(), code.binary])
    with suppress(OSError):
        _write(private_folder() / name, _digest(content, made_from) + content)


def private_folder() -> Path:
    """Return the user's folder for machine code, which is run: raise an OSError where others may write to it."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", ""))
    with suppress(RuntimeError):  # nobody's home is known
        cache = cache if cache.is_absolute() else Path.home() / ".cache"
    if not cache.is_absolute():
        raise FileNotFoundError("the user has no folder for caches")
    folder = cache / "graphgame" / "loops"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_own(folder.lstat(), stat.S_IFDIR, 0o077):
        raise PermissionError(f"{folder} is not the user's alone")
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
            raise PermissionError(f"{path} is not the user's")
        return file.read()


def _digest(content: bytes, made_from: bytes) -> bytes:
    return hashlib.blake2b(content, key=made_from, digest_size=_DIGEST).digest()


def _write(path: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
