"""Readers and writers of graph files, one module a format; the module's docstring defines the format.

Every reader takes a path or ``-`` (standard input), plain or compressed (``.gz``, ``.bz2``, ``.xz``, ``.zst``); every
writer writes the whole file or nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphgame.io.files import open_atomic as open_atomic
    from graphgame.io.format import Format as Format
    from graphgame.io.formats import FORMATS as FORMATS
    from graphgame.io.graphs import generate_game as generate_game
    from graphgame.io.graphs import parse_game as parse_game
    from graphgame.io.graphs import read_game as read_game
    from graphgame.io.graphs import write_game as write_game
    from graphgame.io.source import Source as Source

_PUBLIC = {
    "files": "open_atomic",
    "format": "Format",
    "formats": "FORMATS",
    "graphs": "generate_game parse_game read_game write_game",
    "source": "Source",
}
_HOME = {name: module for module, names in _PUBLIC.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: a module of the room need not load graphs of networkx."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
