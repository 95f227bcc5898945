"""Machine code of loops: kept beside Python's byte code, loaded by LLVM alone, called with the memory of arrays.

Nothing here loads numba, which takes as long to start as many a graph takes to be solved.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import struct
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

__all__ = ["Kind", "MachineCode", "Store", "host", "kind_of", "link", "target_machine"]

Kind: TypeAlias = "str | tuple[str, int, str, bool]"
"""The type of an argument: a number's name, "none", or an array's dtype, dimensions, layout and alignment."""

_NUMBERS: dict[str, Any] = {
    "none": ctypes.c_void_p,
    "bool": ctypes.c_int8,
    "float64": ctypes.c_double,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
}
_LIMIT = 1 << 63
_FINE = (0, -2)
"""What a function returns that ends well, with a result and without."""


class MachineCode(NamedTuple):
    """An object file, the name of its function, and the numbers that this returns as :mod:`struct` writes them."""

    name: str
    result: str
    binary: bytes


def kind_of(argument: object) -> Kind:
    """Return the type for which a loop is compiled.

    Raises
    ------
    TypeError
        No loop takes such an argument.
    """
    if isinstance(argument, np.ndarray):
        layout = "C" if argument.flags.c_contiguous else "A"
        return argument.dtype.str, argument.ndim, layout, argument.flags.aligned
    if argument is None:
        return "none"
    if isinstance(argument, (bool, np.bool_)):
        return "bool"
    if isinstance(argument, (int, np.integer)):
        return "uint64" if isinstance(argument, np.uint64) else "int64"
    if isinstance(argument, float):
        return "float64"
    raise TypeError(f"a loop takes arrays and numbers, not {type(argument).__name__}")


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
    """Return LLVM's description of this machine, for code that runs in this process."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    reloc = "static" if target.name.startswith("x86") else "default"
    _, cpu, features = host()
    return target.create_target_machine(
        cpu=cpu, features=features, opt=3, reloc=reloc, codemodel="jitdefault", jit=True
    )


def link(code: MachineCode, kinds: Sequence[Kind]) -> Callable[[Sequence[Any]], Any]:
    """Load a function into this process; returns what calls it with arguments of these kinds.

    The call holds no lock. The function's first arguments are where it writes its result and its error, then come the
    numbers; an array is its owner's two pointers (none here), its size, item size, address, shape and strides.

    Raises
    ------
    RuntimeError
        By the call, where the function ends in an error.
    """
    from llvmlite import binding

    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), target_machine())
    engine.add_object_file(binding.ObjectFileRef.from_data(code.binary))
    engine.finalize_object()
    types = [ctypes.c_void_p, ctypes.c_void_p, *(part for kind in kinds for part in _types(kind))]
    function = ctypes.CFUNCTYPE(ctypes.c_int32, *types)(engine.get_function_address(code.name))
    result = struct.Struct(code.result)

    def call(arguments: Sequence[Any], _engine: object = engine) -> Any:  # noqa: ANN401
        room = ctypes.create_string_buffer(max(16, result.size))
        status = function(room, room, *(part for argument in arguments for part in _parts(argument)))
        if status not in _FINE:
            raise RuntimeError(f"a compiled loop ended with status {status}")
        found = result.unpack_from(room)
        return found if len(found) > 1 else found[0] if found else None

    return call


def _types(kind: Kind) -> list[Any]:
    if isinstance(kind, str):
        return [_NUMBERS[kind]]
    pointer, size = ctypes.c_void_p, ctypes.c_ssize_t
    return [pointer, pointer, size, size, pointer, *[size] * 2 * kind[1]]


def _parts(argument: Any) -> tuple[Any, ...]:  # noqa: ANN401
    if isinstance(argument, np.ndarray):
        address = argument.__array_interface__["data"][0]
        return None, None, argument.size, argument.itemsize, address, *argument.shape, *argument.strides
    if argument is None or isinstance(argument, float):
        return (argument,)
    number = int(argument)
    if not -_LIMIT <= number < 2 * _LIMIT or (number >= _LIMIT and not isinstance(argument, np.uint64)):
        raise OverflowError(f"{number} does not fit into 64 bits")
    return (number,)


class Store:
    """Where a loop's machine code is kept: beside the byte code of its module, or in the user's folder for caches.

    A file counts only where its stamp, which says all that the code was made from, and its checksum are right.
    """

    def __init__(self, module: str, name: str) -> None:
        self._folders = [Path(cache_from_source(module)).parent, _users_folder()]
        self._name = f"{Path(module).stem}.{name}"

    def load(self, kinds: Sequence[Kind], stamp: str) -> MachineCode | None:
        """Return what was kept, or None."""
        for path in self._paths(kinds):
            with suppress(OSError, ValueError):
                header, binary = path.read_bytes().split(b"\n", 1)
                made_from, checksum, name, result = header.decode().split(" ")
                if made_from == stamp and checksum == hashlib.sha256(binary).hexdigest():
                    return MachineCode(name, result, binary)
        return None

    def keep(self, kinds: Sequence[Kind], stamp: str, code: MachineCode) -> None:
        """Write a file, whole or not at all, in the first folder that can be written."""
        header = f"{stamp} {hashlib.sha256(code.binary).hexdigest()} {code.name} {code.result}\n"
        for path in self._paths(kinds):
            with suppress(OSError):
                path.parent.mkdir(parents=True, exist_ok=True)
                _write(path, header.encode() + code.binary)
                return

    def _paths(self, kinds: Sequence[Kind]) -> Iterator[Path]:
        types = hashlib.sha256(repr((kinds, host())).encode()).hexdigest()[:16]
        return (folder / f"{self._name}.{types}.loop" for folder in self._folders)


def _users_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "graphgame"


def _write(path: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
