"""What a format of graph files is: its names, and the module that reads and writes it."""

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
    suffixes : tuple of str
        The first is the usual one.
    family : str
        The module of ``graphgame`` that defines the format; its ``read(source)`` and ``write(graph, stream)`` raise
        what :func:`graphgame.read_game` and :func:`graphgame.write_game` do.
    description : str
    suffix_decides : bool
        Whether a file with one of the suffixes is surely in this format; else its first lines tell.
    options : mapping
        What to pass to the module's functions.
    magic : tuple of bytes
        How such files begin, for a format that is not text.
    with_kinds, named_columns : bool
        Whether it can express sum vertices and decided positions, and whether a caller may name columns of its files.
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
        """How to open a file to write: ``w``, or ``wb`` where the format is not text."""
        return "wb" if self.magic else "w"

    def read(self, source: Source) -> GameGraph:
        """Read a graph from a source in this format."""
        if source.columns != (None, None) and not self.named_columns:
            raise FormatError(
                "{format} has no columns to name: --source and --target are for lists of edges and tables", self.name
            )
        return cast("GameGraph", self._module().read(source, **self.options))

    def write(self, game: GameLike, stream: TextIO | BinaryIO) -> None:
        """Write a graph to a file in this format, which is open in its mode."""
        from graphgame.graph.gamegraph import GameGraph

        graph = GameGraph.of(game)
        if graph.kinds is not None and not self.with_kinds:
            others = [format.name for format in FORMATS.values() if format.with_kinds]
            raise FormatError(
                "the {format} format cannot express decided positions: write {others}"
                if graph.sums is None
                else "the {format} format cannot express sum vertices: write {others}",
                self.name,
                either(others) if others else Message("a format of graphgame.labs.formats, which is not installed"),
            )
        self._module().write(graph, stream, **self.options)

    def _module(self) -> ModuleType:
        """Import the module of a format when a file of it is met: all together take longer than many a game."""
        return import_module(f"graphgame.{self.family}")


FORMATS: dict[str, Format] = {}
"""Name -> format: those of the core, then those of the labs, which :mod:`graphgame.io.formats` puts in."""
