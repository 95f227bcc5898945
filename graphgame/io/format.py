"""The description of a format of graph files: its names, and the module that reads and writes it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TextIO, cast

from graphgame.errors import FormatError, Message, either
from graphgame.io.source import Source

if TYPE_CHECKING:
    from graphgame.graph.gamegraph import GameGraph, GameLike


class Format(NamedTuple):
    """A format of graph files.

    Attributes
    ----------
    name : str
        The name for ``format=`` and ``--format``.
    suffixes : tuple of str
        Suffixes of its files, such as ``.csv``, the usual one first.
    family : str
        The module that reads and writes it, without ``graphgame.``. Its functions ``read(source)`` and
        ``write(graph, stream)`` raise the errors of :func:`graphgame.read_game` and :func:`graphgame.write_game`.
    description : str
        A few words for lists of formats.
    suffix_decides : bool
        Whether every file with such a suffix is read in this format. If not, the file's first lines decide.
    options : mapping
        Keyword arguments for the functions ``read`` and ``write`` of its module, such as the separator.
    magic : tuple of bytes
        Its files begin with one of these; empty for a text format.
    with_kinds : bool
        Whether the format can express sum vertices and decided positions.
    named_columns : bool
        Whether the caller may choose the columns of sources and targets.
    """

    name: str
    suffixes: tuple[str, ...]
    family: str
    description: str
    suffix_decides: bool = True
    options: Mapping[str, Any] = MappingProxyType({})
    magic: tuple[bytes, ...] = ()
    with_kinds: bool = False
    named_columns: bool = False

    @property
    def mode(self) -> str:
        """The mode in which a file is opened for writing: ``w`` for a text format, otherwise ``wb``."""
        return "wb" if self.magic else "w"

    def read(self, source: Source) -> GameGraph:
        """Read a graph; raise a FormatError if the caller chooses columns, but the format has none to choose."""
        if source.columns != (None, None) and not self.named_columns:
            raise FormatError(
                "the format {format} has no columns that --source and --target could choose: these options "
                "are for edge lists and tables",
                self.name,
            )
        return cast("GameGraph", self._module().read(source, **self.options))

    def write(self, game: GameLike, stream: TextIO | BinaryIO) -> None:
        """Write a graph to a stream open in :attr:`mode`; raise a FormatError if the format cannot express it."""
        from graphgame.graph.gamegraph import GameGraph

        graph = GameGraph.of(game)
        if graph.kinds is not None and not self.with_kinds:
            others = [format.name for format in FORMATS.values() if format.with_kinds]
            raise FormatError(
                "the {format} format cannot express decided positions: write the graph as {formats}"
                if graph.sums is None
                else "the {format} format cannot express sum vertices: write the graph as {formats}",
                self.name,
                either(others) if others else Message("a format of graphgame.labs.formats, which is not installed"),
            )
        self._module().write(graph, stream, **self.options)

    def _module(self) -> ModuleType:
        """Import and return the module of the format, only when a file needs it: importing all modules takes long."""
        return import_module(f"graphgame.{self.family}")


FORMATS: dict[str, Format] = {}  # The module io.formats fills it.
"""Name of a format -> the format: first those of the core, then those of the labs."""
