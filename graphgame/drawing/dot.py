"""Pictures as DOT: text that Graphviz lays out, and that :func:`graphgame.read_game` reads back.

The vertices are written ``n0``, ``n1``, ... by number, with the position's text in the attribute ``position``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import chain, compress
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple, Unpack

from graphgame.drawing import style
from graphgame.drawing.boards import CELL_LINE, CELL_LOOKS, CELL_SIDE
from graphgame.drawing.captions import SIGNS, heading_lines, headings, legend_signs
from graphgame.drawing.options import PictureKeywords, PictureOptions, picture_options
from graphgame.drawing.picture import DrawnEdges, DrawnVertex, GraphPicture
from graphgame.drawing.style import Theme
from graphgame.errors import ParameterError
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.graph.labels import as_labels
from graphgame.io.edges import EdgeBlock, EdgeLine, edge_lines
from graphgame.io.files import PathLike, open_atomic
from graphgame.io.interchange import dot_string, graph_attributes, position_texts
from graphgame.rules.pictures import Cell, Picture, check_picture
from graphgame.text.text import printable

if TYPE_CHECKING:
    import pydot

_NAMES_A_LINE = 500
_WIDE = 20
_FARTHEST = 5


def write_dot(game: GameLike, path: PathLike, **options: Unpack[PictureKeywords]) -> None:
    """Write a picture as DOT.

    Parameters
    ----------
    game : GameLike
        A graph is drawn as it stands, and may have cycles; a solution, a position, a text or a file with values and
        winning moves.
    path : str or os.PathLike
        ``-`` is standard output; ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` compress.
    **options
        See :class:`PictureOptions`.

    Raises
    ------
    ParameterError
        An option that is not accepted.
    UndirectedGraphError
        The graph is undirected.
    UnknownPositionError
        A position of the options is not a vertex.

    Notes
    -----
    The text is made in blocks: about 3 s for 10**6 edges, and 16 bytes a vertex beyond the solution.

    Examples
    --------
    >>> write_dot([("a", "b")], "-", title="", legend=False)
    digraph game {
    ...
    n0 [label="a",tooltip="a",shape=ellipse,position="a"];
    n1 [label="b",tooltip="b",shape=ellipse,position="b"];
    n0 -> n1;
    }
    """
    picture = GraphPicture(game, refuse_layout(picture_options(options)))
    with open_atomic(path) as stream:
        stream.writelines(dot_lines(picture))


def to_pydot(game: GameLike, **options: Unpack[PictureKeywords]) -> pydot.Dot:
    r"""Return a picture as a pydot graph, to go on styling.

    Parameters
    ----------
    game : GameLike
        As for :func:`write_dot`.
    **options
        See :class:`PictureOptions`.

    Raises
    ------
    ParameterError
        An option that is not accepted.
    UndirectedGraphError
        The graph is undirected.
    UnknownPositionError
        A position of the options is not a vertex.

    Notes
    -----
    pydot keeps about 1 kB an edge; :func:`write_dot` is the way for large graphs.

    Examples
    --------
    >>> picture = to_pydot("nim(1)")
    >>> picture.get_node("n1")[0].get_label()
    '"0\\nP 0"'
    """
    import pydot

    picture = GraphPicture(game, refuse_layout(picture_options(options)))
    texts, record = _record(picture)
    graph = pydot.Dot("game", graph_type="digraph", **_graph_attributes(picture), **record)
    graph.set_node_defaults(**style.node(picture.theme))
    graph.set_edge_defaults(**style.edge(picture.theme))
    for statement in chain(_statements(picture, texts), *(_edges(picture, block) for block in picture.edges())):
        match statement:
            case Node(name, attributes):
                graph.add_node(pydot.Node(name, **attributes))  # type: ignore[arg-type]
            case Edge(source, target, attributes):
                graph.add_edge(pydot.Edge(source, target, **attributes))  # type: ignore[arg-type]
            case Rank(names):
                group = pydot.Subgraph(rank="same")
                for name in names:
                    group.add_node(pydot.Node(name))
                graph.add_subgraph(group)
    return graph


def refuse_layout(options: PictureOptions) -> PictureOptions:
    """Return options of a picture in DOT; raise a ParameterError where they ask for another layout."""
    if options.layout not in (None, "dot"):
        raise ParameterError("layout={layout!r} is for images: give draw a name in .svg, .png or .pdf", options.layout)
    return options


class Node(NamedTuple):
    r"""A statement about a vertex.

    Examples
    --------
    >>> Node("a", {"style": "dashed"}).line()
    'a [style=dashed];\n'
    """

    name: str
    attributes: style.Attributes

    def line(self) -> str:
        """Return it in DOT."""
        return f"{self.name}{_bracketed(self.attributes)};\n"


class Edge(NamedTuple):
    """A statement about an edge."""

    source: str
    target: str
    attributes: style.Attributes

    def line(self) -> str:
        """Return it in DOT."""
        return f"{self.source} -> {self.target}{_bracketed(self.attributes)};\n"


class Rank(NamedTuple):
    """A statement that some vertices stand in one rank."""

    names: list[str]

    def line(self) -> str:
        """Return it in DOT, on several lines."""
        starts = range(0, len(self.names), _NAMES_A_LINE)
        lines = ("".join(f"{name};" for name in self.names[start : start + _NAMES_A_LINE]) + "\n" for start in starts)
        return f"{{rank=same;\n{''.join(lines)}}}\n"


Statement = Node | Edge | Rank


def dot_lines(picture: GraphPicture, more: style.Attributes | None = None) -> Iterator[str]:
    """Yield the lines of a picture, with more attributes of the graph."""
    yield "digraph game {\n"
    texts, record = _record(picture)
    defaults = {
        "graph": {**_graph_attributes(picture), **record, **(more or {})},
        "node": style.node(picture.theme),
        "edge": style.edge(picture.theme),
    }
    yield from (Node(name, attributes).line() for name, attributes in defaults.items())
    yield from (statement.line() for statement in _statements(picture, texts))
    yield from _edge_lines(picture)
    yield "}\n"


def _statements(picture: GraphPicture, texts: Iterable[str]) -> Iterator[Statement]:
    """Yield what a picture says of all but its edges."""
    yield from _vertices(picture, texts)
    yield from ranks(picture)
    for stub in picture.stubs:
        vertex, line = style.stub(stub.hidden)
        yield from (Node(stub.name, vertex), Edge(*stub.ends, line))


def _graph_attributes(picture: GraphPicture) -> style.Attributes:
    direction = {"rankdir": "LR"} if picture.options.left_to_right else {}
    spaces = {**spacing(picture, 0.3, 0.45), "pad": "0.15"}
    ratio = picture.options.ratio
    shape = {} if ratio is None else {"ratio": f"{1 / float(ratio):.4f}"}
    return {"bgcolor": dot_string(picture.theme.paper), **spaces, **shape, **direction, **heading(picture)}


def spacing(picture: GraphPicture, apart: float, levels: float) -> style.Attributes:
    """Return the spaces between vertices and, if no rank is wide, between ranks, in inches; wide ranks get more."""
    far = levels + max(0, picture.widest_rank() - _WIDE) / _WIDE
    return {"nodesep": f"{apart}", "ranksep": f"{min(far, _FARTHEST):.2f}"}


def _record(picture: GraphPicture) -> tuple[Iterable[str], style.Attributes]:
    """Return what a reader of the graph needs: the texts of the positions shown, and attributes of the graph."""
    graph, shown = picture.graph, picture.shown
    if picture.tokens is not None:
        number = graph.number_of
        graph = GameGraph(graph, tokens=[t for t in picture.tokens if shown[number(t)]])
    kind, texts = position_texts(graph.labels)
    attributes = graph_attributes(graph, kind)
    quoted = {name: dot_string(value) for name, value in attributes.items()}
    return texts if picture.is_whole else compress(texts, shown), quoted


def _vertices(picture: GraphPicture, texts: Iterable[str]) -> Iterator[Node]:
    """Yield each vertex, with what a reader needs."""
    dress = cache(partial(_dress, picture.theme))
    for vertex, text in zip(picture.vertices(), texts, strict=True):
        look = dress(vertex.outcome, vertex.is_sum, vertex.board is not None)
        attributes = {"label": _label(vertex), "tooltip": dot_string(tooltip_text(vertex.text)), **look}
        if vertex.tokens or vertex.is_centre:
            attributes["penwidth"] = "3"
        if vertex.tokens:
            attributes["color"] = dot_string(picture.theme.token)
        attributes["position"] = dot_string(text)
        if vertex.kind:
            attributes["kind"] = dot_string(vertex.kind) if "-" in vertex.kind else vertex.kind
        yield Node(f"n{vertex.number}", attributes)


def _label(vertex: DrawnVertex) -> str:
    """Return a label as it stands in DOT: words that a person can edit, or a table where there is a board."""
    marks = " ".join(filter(None, [vertex.marks, style.pieces(vertex.tokens)]))
    board = "" if vertex.board is None else board_markup(vertex.board)
    if not board:
        return dot_string(label_text("\n".join(filter(None, [vertex.name, marks]))))
    name = "<BR/>".join(map(escaped, vertex.name.split("\n")))
    # Between many columns, which take what room is left, the board keeps its size, however wide the label is.
    space = "<TD></TD>" * 9
    table = '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">'
    centred = f"{table}<TR>{space}<TD>{board}</TD>{space}</TR></TABLE>"
    cells = "".join(f"<TR><TD>{row}</TD></TR>" for row in (name, centred, escaped(marks)) if row)
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1">{cells}</TABLE>>'


def _dress(theme: Theme, outcome: str | None, is_sum: bool, is_board: bool) -> style.Attributes:
    shape = style.vertex_shape(outcome, is_sum=is_sum, is_board=is_board)
    return {**shape, **(style.fill(theme.color_of(outcome), theme) if outcome else {})}


def edge_words(picture: GraphPicture) -> dict[tuple[str, str], str]:
    """Return what is written at edges: their attribute ``label``, and how often a part stands in a sum."""
    labels, found = _labels(picture.graph), dict[tuple[str, str], str]()
    for block in picture.edges():
        if labels or block.multiplicity.max(initial=1) > 1:
            for source, target, _, multiplicity in zip(*(array.tolist() for array in block), strict=True):
                if words := _words_at(labels.get((source, target)), multiplicity):
                    found[f"n{source}", f"n{target}"] = words
    return found


def _words_at(label: str | None, multiplicity: int) -> str:
    return " ".join([label or ""] * bool(label) + [f"×{multiplicity}"] * (multiplicity > 1))


def _labels(graph: GameGraph) -> dict[tuple[int, int], str]:
    """Return the attribute ``label`` of the edges that have it."""
    rows = graph.attributes.edges.items() if "label" in graph.attributes.names else ()
    return {(start, end): str(own["label"]) for start, row in rows for end, own in row.items() if "label" in own}


def ranks(picture: GraphPicture, anchor: style.Attributes | None = style.HIDDEN) -> Iterator[Statement]:
    """Yield the groups of vertices in one rank; where moves miss, with anchors of a look in the order of play."""
    anchors = list[str]()
    for place, rank in enumerate(picture.ranks()):
        anchors += [f"level{place}"] * picture.is_scattered
        yield Rank([*anchors[place:], *(f"n{number}" for number in rank.tolist())])
    yield from (Node(name, anchor) for name in anchors if anchor)
    yield from (Edge(upper, lower, {"style": "invis"}) for upper, lower in zip(anchors[1:], anchors, strict=False))


def _edges(picture: GraphPicture, block: DrawnEdges) -> Iterator[Edge]:
    kinds, labels = style.edge_kinds(picture.theme), _labels(picture.graph)
    for source, target, kind, multiplicity in zip(*(array.tolist() for array in block), strict=True):
        times = {"multiplicity": str(multiplicity)} if multiplicity > 1 else {}
        words = _words_at(labels.get((source, target)), multiplicity)
        shown = {"label": dot_string(label_text(words))} if words else {}
        yield Edge(f"n{source}", f"n{target}", {**kinds[kind], **times, **shown})


def _edge_lines(picture: GraphPicture) -> Iterable[str]:
    graph = picture.graph
    if _labels(graph) or graph.sums is not None:
        return (edge.line() for block in picture.edges() for edge in _edges(picture, block))
    kinds = style.edge_kinds(picture.theme)
    line = EdgeLine("n", " -> n", [f"{_bracketed(attributes)};\n" for attributes in kinds])
    blocks = (EdgeBlock(edges.source, edges.target, edges.kind) for edges in picture.edges())
    return edge_lines(blocks, as_labels(len(graph)), line, len(graph) + graph.number_of_edges())


def _bracketed(attributes: style.Attributes) -> str:
    return f" [{','.join(f'{name}={value}' for name, value in attributes.items())}]" if attributes else ""


def label_text(text: str) -> str:
    """Return a text for a label, where Graphviz replaces entities; :func:`dot_string` does the rest."""
    return text.replace("&", "&amp;")


def tooltip_text(text: str) -> str:
    """Return the whole of a text for a tooltip, in which Graphviz replaces backslash sequences twice."""
    lines = "\n".join(printable(line, 0) if line else "" for line in text.split("\n"))
    return lines.replace("&", "&amp;").replace("\\", "\\\\")


def markup(text: str) -> str:
    """Return a title or a caption for an HTML-like label."""
    return "<BR/>".join(map(escaped, heading_lines(text)))


def escaped(line: str) -> str:
    """Return a text for an HTML-like label."""
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("\\", "\\\\")):
        line = line.replace(character, entity)
    return line


def board_markup(picture: Picture) -> str:
    """Return a picture as a table of an HTML-like label, on white; nothing where it has no cells, or is no grid.

    Every row is filled up to the longest: Graphviz would spread the cells of short ones.
    """
    check_picture(picture)
    if not (lines := picture.rows):
        return ""
    blank, width = _cell(Cell("blank")), max(map(len, lines))
    rows = ("".join(map(_cell, row)) + blank * (width - len(row)) for row in lines)
    table = "".join(f"<TR>{row}</TR>" for row in rows)
    return (
        '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0" BGCOLOR="#ffffff" '
        f'COLOR="{CELL_LINE}"><TR><TD CELLPADDING="3"><TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">'
        f"{table}</TABLE></TD></TR></TABLE>"
    )


def _cell(cell: Cell) -> str:
    look, words = CELL_LOOKS[cell.kind], printable(cell.text) if cell.text else ""
    shown = escaped(words or look.mark)
    size = "11" if words or look.rounded else "14"
    fixed = ' FIXEDSIZE="TRUE"' if len(words) < 3 else ""
    fill = "" if look.fill is None else f' BORDER="1" COLOR="{CELL_LINE}" BGCOLOR="{look.fill}"'
    style = ' STYLE="ROUNDED"' if look.rounded else ""
    inner = f'<FONT POINT-SIZE="{size}" COLOR="{look.ink}">{shown}</FONT>' if shown else ""
    return f'<TD{fixed} WIDTH="{CELL_SIDE}" HEIGHT="{CELL_SIDE}"{fill}{style}>{inner}</TD>'


_FEW = 60
_LARGEST = 6


def heading(picture: GraphPicture) -> style.Attributes:
    """Return the attributes of a graph that write title, caption and legend above it, or below.

    They are the graph's own label, so that they are no vertices and take no part in the layout; they grow with the
    picture, so that they can be read where the whole of it is seen.
    """
    legend = _Legend(picture)
    lines = zip((18, 13), headings(picture), strict=True)
    rows = [legend.row(legend.words(markup(line), size)) for size, line in lines if line]
    if picture.options.legends and (entries := legend.entries()):
        signs = f'<TABLE BORDER="0" CELLSPACING="2" CELLPADDING="1">{"".join(entries)}</TABLE>'
        if picture.options.legend == "right" and rows:
            beside = f'<TABLE BORDER="0" CELLSPACING="2">{"".join(rows)}</TABLE>'
            rows = [f'<TR><TD VALIGN="TOP">{beside}</TD><TD WIDTH="20"></TD><TD>{signs}</TD></TR>']
        else:
            rows.append(legend.row(signs))
    if not rows:
        return {}
    table = f'<TABLE BORDER="0" CELLSPACING="2">{"".join(rows)}<TR><TD></TD></TR></TABLE>'
    ink, place = dot_string(picture.theme.ink), "b" if picture.options.legend == "below" else "t"
    return {"label": f"<{table}>", "labelloc": place, "labeljust": "l", "fontname": style.FONT, "fontcolor": ink}


class _Legend:
    """The signs of a picture, in a size that fits it."""

    def __init__(self, picture: GraphPicture) -> None:
        self.picture = picture
        self.theme = picture.theme
        self.scale = min(max(1, sqrt(picture.vertex_count() / _FEW)), _LARGEST)

    def entries(self) -> list[str]:
        """Return a row for each kind of sign in the picture."""
        return [self._entry(self._sign(kind), meaning) for kind, meaning in legend_signs(self.picture)]

    def _sign(self, kind: str) -> str:
        if kind in "PND":
            return self._swatch(kind, self.theme.color_of(kind))
        if kind == "token":
            return f'<FONT COLOR="{self.theme.token}">{self.words(style.pieces(1))}</FONT>'
        return self._line(5 if kind == "token win" else 2) if kind in ("token win", "win") else SIGNS[kind]

    def row(self, cell: str) -> str:
        """Return a row of the heading."""
        return f'<TR><TD ALIGN="LEFT" BALIGN="LEFT">{cell}</TD></TR>'

    def words(self, text: str, size: int = 10) -> str:
        """Return words of a size in points, where the picture is small."""
        return f'<FONT POINT-SIZE="{size * self.scale:.3g}">{text}</FONT>'

    def _entry(self, sign: str, meaning: str) -> str:
        sign = sign if sign.startswith("<") else self.words(sign)
        # the many columns take the space that a wide title leaves, so that sign and meaning stay together
        return f'<TR><TD>{sign}</TD><TD ALIGN="LEFT" COLSPAN="20">{self.words(f"&#160;{meaning}")}</TD></TR>'

    def _swatch(self, letter: str, color: str) -> str:
        """Return the outline of a position of this outcome in small."""
        rounded, double = (' STYLE="ROUNDED"', 1) if letter == "P" else ("", 0)
        sign = f'<FONT COLOR="{style.ink_on(color)}">{self.words(f"⬡ {letter}" if letter == "D" else letter, 9)}</FONT>'
        return (
            f'<TABLE BORDER="1" CELLBORDER="{double}" CELLSPACING="{2 * double}" CELLPADDING="0" '
            f'COLOR="{self.theme.outline}"{rounded}><TR><TD WIDTH="{22 * self.scale:.0f}"{rounded} '
            f'BGCOLOR="{color}">{sign}</TD></TR></TABLE>'
        )

    def _line(self, width: int) -> str:
        """Return an edge in small."""
        wide, high = 24 * self.scale, width * self.scale
        return (
            '<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="0"><TR>'
            f'<TD FIXEDSIZE="TRUE" WIDTH="{wide:.0f}" HEIGHT="{high:.0f}" BGCOLOR="{self.theme.winning}"></TD>'
            "</TR></TABLE>"
        )
