"""Read graphs from files and write them to files, in any format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import StringIO, TextIOBase
from typing import TextIO

from graphgame.errors import FormatError, Message, ParseError, checks_parameters
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.io.files import PathLike, ReadProgress, Source, open_atomic
from graphgame.io.formats import detect, format_named, format_of_name
from graphgame.io.interchange import numbered


@checks_parameters
def read_game(
    path: PathLike,
    format: str | None = None,
    *,
    source: str | int | None = None,
    target: str | int | None = None,
    progress: ReadProgress | None = None,
    max_bytes: int | None = None,
) -> GameGraph:
    r"""Read a graph from a file of any format.

    Parameters
    ----------
    path : str or os.PathLike
        ``-`` is standard input. ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` are decompressed.
    format : str, optional
        The name of a format in ``FORMATS``. By default the file's name and first lines decide, see
        :func:`graphgame.io.formats.detect`.
    source, target : str or int, optional
        The columns of positions and of options in a list of edges or table: names, or numbers from 1 on. By default
        those that a header names, or the first two; if only one is given, the other is named ``source`` or ``target``.
    progress : callable, optional
        Called as ``progress(bytes_done, bytes_total)`` after each block. For a pipe the total is None.
    max_bytes : int, optional
        The largest number of bytes that the file may hold after decompression. The default is 32 MiB or 100 bytes for
        each byte of the file, whichever is more: enough for graphs, but not for files made to fill the memory.

    Returns
    -------
    GameGraph
        ``G.graph["format"]`` names the format; ``G.tokens`` is None if the file does not say what the tokens are.

    Raises
    ------
    ParseError
        The file is not in the format. The message says what is wrong and, if that is known, where.
    FormatError, MissingLabError, MissingExtraError
        The format is unknown, not read, not installed, or has no columns for ``source`` and ``target``.
    UndirectedGraphError
        The file holds an undirected graph.
    LimitError
        The file claims too many vertices, or holds more bytes than ``max_bytes`` or its default allows.
    OSError
        The file cannot be opened.

    Warns
    -----
    ReadingWarning
        The reader guessed, for example, a separator, a header or a count, or ignored columns.

    Notes
    -----
    Time and memory are linear in the size of the file. Integers with large gaps, in a list of edges, are sorted.

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
    with Source(path, progress=progress, max_bytes=max_bytes, columns=(source, target)) as opened:
        return _read(opened, format)


@checks_parameters
def parse_game(
    text: str, format: str | None = None, *, source: str | int | None = None, target: str | int | None = None
) -> GameGraph:
    """Read a graph from a text in any text format; the parameters and errors are those of :func:`read_game`.

    Examples
    --------
    >>> parse_game("3 2 1  1 2  2 3  1", "token").tokens
    (1,)
    """
    return _read(Source(text.encode(errors="surrogatepass"), columns=(source, target)), format)


@checks_parameters
def write_game(
    game: GameLike,
    path: PathLike,
    format: str | None = None,
    *,
    relabel: bool = False,
    progress: Callable[[int], object] | None = None,
) -> None:
    """Write a graph to a file of any format.

    Parameters
    ----------
    game : GameLike
        Whatever :class:`graphgame.GameGraph` accepts: a graph, edges, ...
    path : str or os.PathLike
        ``-`` is standard output. ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` compress.
    format : str, optional
        The name of a format in ``FORMATS``. By default the suffix of the path decides; for ``-`` a name is needed.
    relabel : bool
        Write numbers in place of the positions, from 1 on (in the format ``judge`` from 0 on).
    progress : callable, optional
        Called as ``progress(characters_done)`` while a text format is written.

    Raises
    ------
    FormatError, MissingLabError, MissingExtraError
        The format is unknown, not installed, or cannot express the graph.
    UndirectedGraphError
        The graph is undirected.
    OSError
        The file cannot be written.

    Notes
    -----
    The file appears under its name when it is complete, or not at all. It holds the game: positions, moves, sums,
    decided positions and tokens. To write other attributes of nodes and edges, use networkx:
    ``nx.write_graphml(nx.DiGraph(graph), path)``.

    Examples
    --------
    >>> write_game([(1, 2), (2, 3)], "-", "token")
    3 2 0
    1 2
    2 3
    """
    chosen = format_named(format) if format else format_of_name(path)
    graph = GameGraph.of(game)
    if relabel:
        graph = numbered(graph, 0 if chosen.name == "judge" else 1, relabel=True)
    with open_atomic(path, chosen.mode) as stream:
        if progress is not None and "b" not in chosen.mode:
            stream = _Counted(stream, progress)
        chosen.write(graph, stream)


@checks_parameters
def generate_game(game: GameLike, format: str) -> Iterator[str]:
    """Return an iterator over a graph's lines. The call raises FormatError for an unknown, binary or unsuitable format.

    Examples
    --------
    >>> list(generate_game([("a", "b")], "edgelist"))
    ['a b']
    """
    chosen = format_named(format)
    if chosen.magic:
        raise FormatError("the format {format} is binary and has no lines: write the graph to a file", format)
    stream = StringIO()
    chosen.write(GameGraph.of(game), stream)
    stream.seek(0)
    return (line.removesuffix("\n") for line in stream)


class _Counted(TextIOBase):
    """Writes text to ``stream``; after each write it calls ``progress`` with the number of characters so far."""

    def __init__(self, stream: TextIO, progress: Callable[[int], object]) -> None:
        self._stream, self._progress, self._done = stream, progress, 0

    def write(self, text: str) -> int:
        self._stream.write(text)
        self._done += len(text)
        self._progress(self._done)
        return len(text)


def _read(source: Source, name: str | None) -> GameGraph:
    format, certain = (format_named(name), True) if name else detect(source)
    source.strict = name is not None
    try:
        graph = format.read(source)
    except ParseError as error:
        if not certain:
            error.message = Message(
                "{error} (the file was taken for the format {format!r}: give the format if it is another)",
                error.message,
                format.name,
            )
        raise
    graph.graph["format"] = format.name
    source.warn_of_guesses(format.name)
    return graph
