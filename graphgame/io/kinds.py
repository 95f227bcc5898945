"""The kinds of files that graphgame writes but that hold no graph: how they begin, and which command reads them."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from graphgame.errors import Message
from graphgame.io.files import PathLike, Source

_HEAD = 1 << 12
_OF_GRAPHS = (b'"directed"', b'"nodes"', b'"edges"', b'"links"')
_FORMAT = re.compile(rb'\s*\{\s*"format"\s*:\s*("[^"]*")')


class FileKind(NamedTuple):
    """A kind of JSON file.

    Attributes
    ----------
    format : str
        The value of ``format``, which is the first member of such a file; empty if the file has no such member.
    advice : str
        What the file holds, and which command reads it.
    member : bytes
        The name of a member that only files of this kind have, to recognize a file without ``format``.
    """

    format: str
    advice: str
    member: bytes = b""


LAWS = FileKind("graphgame laws", Message("laws, not a graph: graphgame verify checks them"))
CERTIFICATE = FileKind(
    "graphgame position certificate",
    Message("a certificate, not a graph: graphgame verify checks it; play and draw use it"),
)
QUOTIENT = FileKind(
    "graphgame misère quotient",
    Message("a misère quotient, not a graph: use it with graphgame misere outcome, misere check or explain --quotient"),
)
VALUES = FileKind("graphgame values", Message("values, not a graph: graphgame verify GRAPH VALUES checks them"))
PERIOD = FileKind(
    "graphgame heap period",
    Message("the certificate of a period, not a graph: graphgame verify checks it"),
    b'"preperiod"',
)
SEARCH_RESULT = FileKind(
    "",
    Message("the result of a search, not a graph: search --certificate writes a file for verify, play and draw"),
    b'"visited"',
)
_KINDS = (LAWS, CERTIFICATE, QUOTIENT, VALUES, PERIOD, SEARCH_RESULT)


def file_kind(source: Source) -> FileKind | None:
    """Return the kind of a source, judged by its first 4 KiB; None for a graph or any other file.

    Examples
    --------
    >>> file_kind(Source(b'{"format": "graphgame laws", "version": 1}')) is LAWS
    True
    """
    head = source.peek(_HEAD)
    if (named := _FORMAT.match(head)) is not None:
        name = json.loads(named[1])
        return next((kind for kind in _KINDS if kind.format == name), None)
    if not head.lstrip().startswith(b"{") or any(name in head for name in _OF_GRAPHS):
        return None
    return next((kind for kind in _KINDS if kind.member and kind.member in head), None)


def file_kind_at(path: PathLike) -> FileKind | None:
    """Return the kind of the file at a path; see :func:`file_kind`."""
    with Source(path) as source:
        return file_kind(source)
