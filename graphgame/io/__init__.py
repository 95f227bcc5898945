"""Readers and writers of graph files. The docstring of a format's module defines the format.

:func:`read_game` takes a path or ``-`` (standard input), plain or compressed (``.gz``, ``.bz2``, ``.xz``, ``.zst``).
:func:`write_game` writes the whole file or nothing.
"""

from typing import TYPE_CHECKING

from graphgame.registry import lazy_names

if TYPE_CHECKING:
    from graphgame.io.files import open_atomic as open_atomic
    from graphgame.io.format import Format as Format
    from graphgame.io.formats import FORMATS as FORMATS
    from graphgame.io.graphs import generate_game as generate_game
    from graphgame.io.graphs import parse_game as parse_game
    from graphgame.io.graphs import read_game as read_game
    from graphgame.io.graphs import write_game as write_game
    from graphgame.io.source import Source as Source

_HOMES = {
    "files": "open_atomic",
    "format": "Format",
    "formats": "FORMATS",
    "graphs": "generate_game parse_game read_game write_game",
    "source": "Source",
}
__all__ = sorted(" ".join(_HOMES.values()).split())
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
