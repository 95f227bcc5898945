"""Readers and writers of graph files, one module a format; the module's docstring defines the format.

Every reader takes a path or ``-`` (standard input), plain or compressed (``.gz``, ``.bz2``,
``.xz``, ``.zst``); every writer
writes the whole file or nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

import networkx as nx

from graphgame.errors import FormatError, ParseError
from graphgame.graph import GameGraph
from graphgame.io.files import PathLike, Progress, Source, open_atomic
from graphgame.io.formats import FORMATS, Format, detect, format_named, format_of_name
from graphgame.io.judge import JudgeCase, read_judge_cases

__all__ = [
    "FORMATS",
    "Format",
    "JudgeCase",
    "Source",
    "generate_game",
    "open_atomic",
    "parse_game",
    "read_adjlist",
    "read_arrow",
    "read_csv",
    "read_dot",
    "read_edgelist",
    "read_game",
    "read_gexf",
    "read_graphml",
    "read_judge",
    "read_judge_cases",
    "read_node_link",
    "read_npy",
    "read_npz",
    "read_parquet",
    "read_token_file",
    "read_tsv",
    "write_adjlist",
    "write_arrow",
    "write_csv",
    "write_dot",
    "write_edgelist",
    "write_game",
    "write_gexf",
    "write_graphml",
    "write_judge",
    "write_node_link",
    "write_npy",
    "write_npz",
    "write_parquet",
    "write_token_file",
    "write_tsv",
]


def read_game(
    path: PathLike, format: str | None = None, *, progress: Progress | None = None, max_bytes: int | None = None
) -> GameGraph:
    r"""Read a graph from a file of any format.

    Parameters
    ----------
    path : str or os.PathLike
        ``-`` is standard input. ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` are decompressed.
    format : str, optional
        A name of ``FORMATS``; else it follows from the file's name and first lines, see
        :func:`graphgame.io.formats.detect`.
    progress : callable, optional
        Called as ``progress(bytes_done, bytes_total)`` for every block; the total is None for a stream.
    max_bytes : int, optional
        Most bytes that the file may hold, uncompressed; by default 32 MiB, or 100 for each byte of the file, which
        graphs seldom need, and files that only fill memory exceed.

    Returns
    -------
    GameGraph
        ``G.graph["format"]`` names the format; ``G.tokens`` are the tokens of the file, if any.

    Raises
    ------
    ParseError
        The file is not in the format: says where, and what was expected.
    FormatError
        The format is unknown.
    UndirectedGraphError
        The file holds an undirected graph.
    LimitError
        The file claims more vertices than memory can hold, or holds more bytes than it may.
    OSError
        The file cannot be opened.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "game.edges")
    >>> path.write_text("a b\nb c\n")
    8
    >>> G = read_game(path)
    >>> sorted(G.edges), G.graph["format"]
    ([('a', 'b'), ('b', 'c')], 'edgelist')
    """
    with Source(path, progress=progress, max_bytes=max_bytes) as source:
        return _read(source, format)


def parse_game(text: str, format: str | None = None) -> GameGraph:
    """Read a graph from a text in any format; the parameters and errors are those of :func:`read_game`.

    Examples
    --------
    >>> parse_game("3 2 1  1 2  2 3  1", "token").tokens
    (1,)
    """
    return _read(Source(text.encode(errors="surrogatepass")), format)


def write_game(graph: nx.DiGraph, path: PathLike, format: str | None = None, *, relabel: bool = False) -> None:
    """Write a graph to a file of any format.

    Parameters
    ----------
    graph : nx.DiGraph
        A GameGraph, or what it can be made from.
    path : str or os.PathLike
        ``-`` is standard output. ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` compress.
    format : str, optional
        A name of ``FORMATS``; else it follows from the file's name.
    relabel : bool
        Number the positions anew, from 1 on (in the judge form from 0 on); their names are lost.

    Raises
    ------
    FormatError
        The format is unknown, or cannot express the graph.
    UndirectedGraphError
        The graph is undirected.
    OSError
        The file cannot be written.

    Notes
    -----
    The file appears under its name when it is complete, or not at all.

    Examples
    --------
    >>> write_game(nx.DiGraph([(1, 2), (2, 3)]), "-", "token")
    3 2 0
    1 2
    2 3
    """
    chosen = format_named(format) if format else format_of_name(path)
    game = GameGraph(graph)
    if relabel:
        from graphgame.io.numbering import numbered

        game = numbered(game, 0 if chosen.name == "judge" else 1, relabel=True)
    with open_atomic(path, chosen.mode) as stream:
        chosen.write(game, stream)


def generate_game(graph: nx.DiGraph, format: str) -> Iterator[str]:
    """Yield the lines of a graph in a format that is text, without newlines; errors are those of :func:`write_game`.

    Examples
    --------
    >>> list(generate_game(nx.DiGraph([("a", "b")]), "edgelist"))
    ['a b']
    """
    chosen = format_named(format)
    if chosen.magic:
        raise FormatError(f"the {format} format has no lines: write it to a file")
    stream = StringIO()
    chosen.write(GameGraph(graph), stream)
    stream.seek(0)
    return (line.removesuffix("\n") for line in stream)


def _read(source: Source, name: str | None) -> GameGraph:
    format, certain = (format_named(name), True) if name else detect(source)
    try:
        graph = format.read(source)
    except ParseError as error:
        if not certain:
            error.message += f" (taken for the format {format.name!r}: give the format if it is another)"
        raise
    graph.graph["format"] = format.name
    return graph


def read_token_file(path: PathLike) -> GameGraph:
    """Read the token file (``N M K``, M edges, K tokens): :mod:`graphgame.io.tokenfile`; see :func:`read_game`."""
    return read_game(path, "token")


def write_token_file(graph: nx.DiGraph, path: PathLike) -> None:
    """Write the token file (``N M K``, M edges, K tokens): :mod:`graphgame.io.tokenfile`; see :func:`write_game`."""
    write_game(graph, path, "token")


def read_judge(path: PathLike) -> GameGraph:
    """Read the judge form of the token file: :mod:`graphgame.io.judge`; see :func:`read_game`."""
    return read_game(path, "judge")


def write_judge(graph: nx.DiGraph, path: PathLike) -> None:
    """Write the judge form of the token file: :mod:`graphgame.io.judge`; see :func:`write_game`."""
    write_game(graph, path, "judge")


def read_edgelist(path: PathLike) -> GameGraph:
    """Read a white space edge list: :mod:`graphgame.io.edgelist`; see :func:`read_game`."""
    return read_game(path, "edgelist")


def write_edgelist(graph: nx.DiGraph, path: PathLike) -> None:
    """Write a white space edge list: :mod:`graphgame.io.edgelist`; see :func:`write_game`."""
    write_game(graph, path, "edgelist")


def read_csv(path: PathLike) -> GameGraph:
    """Read an edge list in CSV: :mod:`graphgame.io.delimited`; see :func:`read_game`."""
    return read_game(path, "csv")


def write_csv(graph: nx.DiGraph, path: PathLike) -> None:
    """Write an edge list in CSV: :mod:`graphgame.io.delimited`; see :func:`write_game`."""
    write_game(graph, path, "csv")


def read_tsv(path: PathLike) -> GameGraph:
    """Read an edge list in TSV: :mod:`graphgame.io.delimited`; see :func:`read_game`."""
    return read_game(path, "tsv")


def write_tsv(graph: nx.DiGraph, path: PathLike) -> None:
    """Write an edge list in TSV: :mod:`graphgame.io.delimited`; see :func:`write_game`."""
    write_game(graph, path, "tsv")


def read_adjlist(path: PathLike) -> GameGraph:
    """Read an adjacency list: :mod:`graphgame.io.adjacency`; see :func:`read_game`."""
    return read_game(path, "adjlist")


def write_adjlist(graph: nx.DiGraph, path: PathLike) -> None:
    """Write an adjacency list: :mod:`graphgame.io.adjacency`; see :func:`write_game`."""
    write_game(graph, path, "adjlist")


def read_graphml(path: PathLike) -> GameGraph:
    """Read GraphML: :mod:`graphgame.io.graphml`; see :func:`read_game`."""
    return read_game(path, "graphml")


def write_graphml(graph: nx.DiGraph, path: PathLike) -> None:
    """Write GraphML: :mod:`graphgame.io.graphml`; see :func:`write_game`."""
    write_game(graph, path, "graphml")


def read_gexf(path: PathLike) -> GameGraph:
    """Read GEXF: :mod:`graphgame.io.gexf`; see :func:`read_game`."""
    return read_game(path, "gexf")


def write_gexf(graph: nx.DiGraph, path: PathLike) -> None:
    """Write GEXF: :mod:`graphgame.io.gexf`; see :func:`write_game`."""
    write_game(graph, path, "gexf")


def read_node_link(path: PathLike) -> GameGraph:
    """Read node-link JSON: :mod:`graphgame.io.nodelink`; see :func:`read_game`."""
    return read_game(path, "node-link")


def write_node_link(graph: nx.DiGraph, path: PathLike) -> None:
    """Write node-link JSON: :mod:`graphgame.io.nodelink`; see :func:`write_game`."""
    write_game(graph, path, "node-link")


def read_dot(path: PathLike) -> GameGraph:
    """Read Graphviz DOT: :mod:`graphgame.io.dot`; see :func:`read_game`."""
    return read_game(path, "dot")


def write_dot(graph: nx.DiGraph, path: PathLike) -> None:
    """Write Graphviz DOT: :mod:`graphgame.io.dot`; see :func:`write_game`."""
    write_game(graph, path, "dot")


def read_parquet(path: PathLike) -> GameGraph:
    """Read a Parquet table of edges: :mod:`graphgame.io.parquet`; see :func:`read_game`."""
    return read_game(path, "parquet")


def write_parquet(graph: nx.DiGraph, path: PathLike) -> None:
    """Write a Parquet table of edges: :mod:`graphgame.io.parquet`; see :func:`write_game`."""
    write_game(graph, path, "parquet")


def read_arrow(path: PathLike) -> GameGraph:
    """Read a table of edges in an Arrow or Feather file: :mod:`graphgame.io.arrow`; see :func:`read_game`."""
    return read_game(path, "arrow")


def write_arrow(graph: nx.DiGraph, path: PathLike) -> None:
    """Write a table of edges in an Arrow or Feather file: :mod:`graphgame.io.arrow`; see :func:`write_game`."""
    write_game(graph, path, "arrow")


def read_npy(path: PathLike) -> GameGraph:
    """Read a NumPy array of edges: :mod:`graphgame.io.npy`; see :func:`read_game`."""
    return read_game(path, "npy")


def write_npy(graph: nx.DiGraph, path: PathLike) -> None:
    """Write a NumPy array of edges: :mod:`graphgame.io.npy`; see :func:`write_game`."""
    write_game(graph, path, "npy")


def read_npz(path: PathLike) -> GameGraph:
    """Read a graph in NumPy arrays, or a sparse matrix of SciPy: :mod:`graphgame.io.npz`; see :func:`read_game`."""
    return read_game(path, "npz")


def write_npz(graph: nx.DiGraph, path: PathLike) -> None:
    """Write a graph in NumPy arrays: :mod:`graphgame.io.npz`; see :func:`write_game`."""
    write_game(graph, path, "npz")
