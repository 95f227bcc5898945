"""Files that are recognized but not read as graphs: formats of other programs, and files of ours that hold no graph.

For a file of another program a message says how to convert it; for a file of ours, which command reads it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import NamedTuple

from graphgame.errors import FormatError, Message
from graphgame.io.source import PathLike, Source, plain_suffix

HEAD = 1 << 16

JSON = "json.load(open({path!r}))"
PYTHON = Message("in Python, GameGraph({call}) reads the file")
_PYTHON_OF_BITS = Message("in Python, {code} reads the file")
_SHEET = Message("save the sheet as CSV; or in Python, GameGraph({call}) reads the file")
_PICKLE = Message(
    "loading a pickle can run any code; if you trust the file: in Python, GameGraph({call}) reads the file"
)
_BOTH_WAYS = Message(
    "the edges of this file have no direction; in Python, GameGraph({call}) reads the file with two moves for each edge"
)
SHELL = Message("the command {command} makes an edge list of the file")
_TO_EDGES = " | graphgame convert --from edgelist - game.edges"
_LOAD = "pickle.load(open({path!r}, 'rb'))"
_GML = rb"(?s)(?:\s*(?:#|Creator\b|Version\b)[^\n]*\n)*\s*graph\s*\["


class OtherFormat(NamedTuple):
    """A format that is not read, and advice on how to convert its files.

    ``sign`` recognizes its files: a pattern or function of their first bytes, or a tuple of suffixes. ``how`` is the
    code or command to put into ``advice``; :meth:`graphgame.io.source.Source.shell_command` fills the slots of ``how``.
    """

    name: str
    sign: bytes | Callable[[bytes], bool] | tuple[str, ...]
    advice: Message
    how: str

    def fits(self, head: bytes, suffix: str) -> bool:
        """Tell whether ``sign`` recognizes a file with these first bytes and this suffix."""
        if isinstance(self.sign, tuple):
            return suffix in self.sign
        return bool(self.sign(head) if callable(self.sign) else re.match(self.sign, head))


def _is_tgf(head: bytes) -> bool:
    """Tell whether a text is in the Trivial Graph Format: lines of vertices, a line ``#``, lines of edges."""
    parts = re.split(rb"(?m)^#[ \t\r]*\n", head)
    if len(parts) != 2:
        return False
    vertices, edges = ([line.split() for line in part.splitlines() if line.strip()] for part in parts)
    names = {words[0] for words in vertices}
    complete = edges if len(head) < HEAD else edges[:-1]
    return 0 < len(vertices) == len(names) and all(len(words) > 1 and {*words[:2]} <= names for words in complete)


_OTHERS = (
    OtherFormat("JSON lines", rb"\s*\{[^\n]*\}[ \t\r]*\n\s*\{", PYTHON, "pandas.read_json({path!r}, lines=True)"),
    OtherFormat(
        Message("a file with a Python list or dictionary"),
        rb"\s*(?:\[\s*\(|\{\s*(?:[-'\d(]|\"[^\"\n]*\"\s*:\s*[({]\s*'))",
        PYTHON,
        "ast.literal_eval(open({path!r}).read())",
    ),
    OtherFormat(Message("a JSON file with an array"), rb"\s*\[\s*[\[{]", PYTHON, JSON),
    OtherFormat("GML", _GML + rb".*?\blabel\s", PYTHON, "networkx.read_gml({path!r})"),
    OtherFormat("GML", _GML + rb".*?\bname\s", PYTHON, "networkx.read_gml({path!r}, label='name')"),
    OtherFormat("GML", _GML, PYTHON, "networkx.read_gml({path!r}, label='id')"),
    OtherFormat("Matrix Market", rb"%%MatrixMarket", PYTHON, "scipy.io.mmread({path!r})"),
    OtherFormat(
        "DIMACS",
        rb"(?:c\b[^\n]*\n|[ \t\r]*\n)*p[ \t]+(?:edge|col|sp|max|min|asn)\b",
        SHELL,
        "awk '$1 == \"p\" {{for (v = 1; v <= $3; v++) print v}} /^[ae]/ {{print $2, $3}}' {shell}" + _TO_EDGES,
    ),
    OtherFormat(
        "Pajek", rb"(?i)\s*\*(?:vertices|network)\b", PYTHON, "networkx.DiGraph(networkx.read_pajek({path!r}))"
    ),
    OtherFormat(
        Message("a file with the plain output of Graphviz"),
        rb"graph(?: [\d.]+){3}\r?\nnode ",
        Message("{command} writes the original file as DOT, which graphgame reads"),
        "dot -Tdot",
    ),
    OtherFormat("TGF", _is_tgf, SHELL, "awk '/^#/ {{e = 1; next}} {{print $1, e ? $2 : \"\"}}' {shell}" + _TO_EDGES),
    OtherFormat("LGL", (".lgl",), PYTHON, "igraph.Graph.Read_Lgl({path!r})"),
    OtherFormat("LEDA", rb"LEDA\.GRAPH", PYTHON, "networkx.read_leda({path!r})"),
    OtherFormat("YAML", (".yaml", ".yml"), PYTHON, "yaml.safe_load(open({path!r}))"),
    OtherFormat("graph6", rb">>graph6<<", _BOTH_WAYS, "networkx.read_graph6({path!r}).to_directed()"),
    OtherFormat(
        "sparse6", rb">>sparse6<<|(?::[?-~]+\r?\n)+\Z", _BOTH_WAYS, "networkx.read_sparse6({path!r}).to_directed()"
    ),
    OtherFormat(
        "digraph6",
        rb"(?:>>digraph6<<)?&[?-~]+\r?\n?\Z",
        _PYTHON_OF_BITS,
        "t = open({path!r}, 'rb').read().strip().removeprefix(b'>>digraph6<<'); n = t[1] - 63; "
        "b = numpy.unpackbits(numpy.frombuffer(t[2:], 'u1') - 63).reshape(-1, 8)[:, 2:].ravel(); "
        "GameGraph(b[: n * n].reshape(n, n))",
    ),
    OtherFormat("GDF", rb"nodedef *>", SHELL, "sed '1,/^edgedef/d' {shell} | cut -d , -f 1,2 > game.csv"),
    OtherFormat("Tulip", rb"\(tlp\b", SHELL, "sed -n 's/.*(edge [0-9]* \\([0-9 ]*\\)).*/\\1/p' {shell}" + _TO_EDGES),
    OtherFormat(
        "Mermaid",
        rb"\s*(?:graph|flowchart)[ \t]+(?:TD|TB|BT|RL|LR)\b",
        SHELL,
        "sed -n 's/[[({{][^])}}]*[])}}]//g; s/|[^|]*|//g; s/ *--*> */ /p' {shell}" + _TO_EDGES,
    ),
    OtherFormat(
        Message("a file with a Markdown table"),
        rb"\s*\|[^\n]*\|\s*\n\s*\|[-:| ]+\|\s*\n",
        SHELL,
        "sed '/^ *|[-:| ]*$/d; s/^ *| *//; s/ *| *$//; s/ *| */,/g' {shell} > game.csv",
    ),
    OtherFormat(
        Message("a spreadsheet"),
        rb"(?s)PK\x03\x04.{26}(?:\[Content_Types\]|mimetypeapplication/vnd\.oasis|_rels/|docProps/|xl/)|\xd0\xcf\x11\xe0",
        _SHEET,
        "pandas.read_excel({path!r})",
    ),
    OtherFormat(Message("a pickle file"), rb"\x80[\x02-\x05]", _PICKLE, _LOAD),
    OtherFormat(Message("a pickle file"), (".pickle", ".pkl", ".gpickle"), _PICKLE, _LOAD),
)


def refuse_other_format(source: Source) -> None:
    """Raise a FormatError for a source in one of the formats ``_OTHERS``, and say how to read or convert it."""
    suffix = plain_suffix(source.path) if source.path else ""
    head = source.peek_text(HEAD)
    for other in _OTHERS:
        if other.fits(head, suffix):
            raise not_read(source, other.name, other.advice, other.how)


def not_read(source: Source, kind: str, advice: Message, how: str) -> FormatError:
    """Return the error for a file of a kind that is not read; ``how`` is the command or code to put into ``advice``."""
    filled = Message(advice, source.shell_command(how))
    return FormatError("{file} is {kind}, which graphgame does not read: {advice}", source.name, kind, filled)


_BYTES_OF_HEAD = 1 << 12
_OF_GRAPHS = (b'"directed"', b'"nodes"', b'"edges"', b'"links"')
_FORMAT = re.compile(rb'\s*\{\s*"format"\s*:\s*("[^"]*")')


class FileKind(NamedTuple):
    """A kind of JSON file that graphgame writes, and that holds no graph.

    Attributes
    ----------
    format : str
        The value of ``format``, the first member of such files; empty if they do not begin with this member.
    advice : str
        What the file holds, and which command reads it.
    member : bytes
        The name, in quotes, of a member by which a file that does not begin with ``format`` is recognized; or empty.
    """

    format: str
    advice: str
    member: bytes = b""


LAWS = FileKind("graphgame laws", Message("the file holds laws, not a graph: graphgame verify checks laws"))
CERTIFICATE = FileKind(
    "graphgame position certificate",
    Message(
        "the file holds a certificate, not a graph: graphgame verify checks certificates; graphgame "
        "play and draw use them"
    ),
)
QUOTIENT = FileKind(
    "graphgame misère quotient",
    Message(
        "the file holds a misère quotient, not a graph: graphgame misere outcome, misere check and "
        "explain --quotient use it"
    ),
)
VALUES = FileKind(
    "graphgame values",
    Message("the file holds the values of positions, not a graph: graphgame verify GRAPH VALUES checks them"),
)
PERIOD = FileKind(
    "graphgame heap period",
    Message("the file holds the certificate of a period, not a graph: graphgame verify checks it"),
    b'"last_exception"',
)
SEARCH_RESULT = FileKind(
    "",
    Message(
        "the file holds the result of a search, not a graph: graphgame search --certificate writes a "
        "certificate, which verify, play and draw read"
    ),
    b'"visited"',
)
_KINDS = (LAWS, CERTIFICATE, QUOTIENT, VALUES, PERIOD, SEARCH_RESULT)
_KIND_OF = {text(each.format): each for each in _KINDS if each.format for text in (json.dumps, '"{}"'.format)}


def file_kind(source: Source) -> FileKind | None:
    """Return the kind of a JSON file that graphgame wrote and that holds no graph, by its first 4 KiB; otherwise None.

    Examples
    --------
    >>> file_kind(Source(b'{"format": "graphgame laws", "version": 1}')) is LAWS
    True
    """
    head = source.peek_text(_BYTES_OF_HEAD)
    if (named := _FORMAT.match(head)) is not None:
        return _KIND_OF.get(named[1].decode(errors="replace"))
    if not head.lstrip().startswith(b"{") or any(name in head for name in _OF_GRAPHS):
        return None
    return next((kind for kind in _KINDS if kind.member and kind.member in head), None)


def file_kind_at(path: PathLike) -> FileKind | None:
    """Return the :func:`file_kind` of the file at a path; raise an OSError if there is no such file."""
    with Source(path) as source:
        return file_kind(source)
