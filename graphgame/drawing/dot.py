"""Pictures in DOT, the text that Graphviz lays out and that :func:`graphgame.read_game` can read again.

Vertex v is written as ``nv``, such as ``n0``; its attribute ``position`` is the text of the position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from html import escape
from itertools import chain, compress
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple, Unpack

from graphgame.drawing import style
from graphgame.drawing.captions import heading_lines, headings, legend_signs
from graphgame.drawing.options import PictureKeywords, PictureOptions
from graphgame.drawing.picture import DrawnEdges, DrawnVertex, GraphPicture
from graphgame.drawing.style import CELL_LINE, CELL_SIDE, CELL_STYLES
from graphgame.errors import ParameterError
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.graph.labels import as_labels
from graphgame.io.edges import EdgeBlock, EdgeLine, edge_lines
from graphgame.io.files import PathLike, open_atomic
from graphgame.io.interchange import dot_string, graph_attributes, position_texts
from graphgame.rules.pictures import Cell, Picture, check_picture
from graphgame.text.text import printable, printable_lines

if TYPE_CHECKING:
    import pydot

_NAMES_A_LINE = 500
_WIDE_RANK = 20
_LARGEST_RANKSEP = 5


def write_dot(game: GameLike, path: PathLike, **options: Unpack[PictureKeywords]) -> None:
    """Write a picture as DOT.

    Parameters
    ----------
    game : GameLike
        A graph or list of edges is drawn without values, and may have cycles. Any other game, such as a solution, a
        position, a text or a file, is drawn with values and winning moves.
    path : str or os.PathLike
        ``-`` is standard output; ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` compress.
    **options
        See :class:`PictureOptions`.

    Raises
    ------
    ParameterError
        An option is unknown or has an invalid value.
    CycleError, UndirectedGraphError
        The game is drawn with values and has a cycle (then draw ``solve(game, loopy=True)``), or is undirected.
    UnknownPositionError
        A token, or a position in the options, is not a vertex.

    Notes
    -----
    The text is written in blocks. This takes about 3 s for 10**6 edges, and 16 bytes a vertex besides the solution.

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
    picture = GraphPicture(game, refuse_layout(PictureOptions(**options)))
    with open_atomic(path) as stream:
        stream.writelines(dot_lines(picture))


def to_pydot(game: GameLike, **options: Unpack[PictureKeywords]) -> pydot.Dot:
    r"""Return a picture as a pydot graph, which can be styled further.

    Parameters
    ----------
    game : GameLike
        As for :func:`write_dot`.
    **options
        See :class:`PictureOptions`.

    Raises
    ------
    ParameterError
        An option is unknown or has an invalid value.
    CycleError, UndirectedGraphError
        The game is drawn with values and has a cycle (then draw ``solve(game, loopy=True)``), or is undirected.
    UnknownPositionError
        A token, or a position in the options, is not a vertex.

    Notes
    -----
    pydot takes about 1 kB for each edge; use :func:`write_dot` for large graphs.

    Examples
    --------
    >>> picture = to_pydot("nim(1)")
    >>> picture.get_node("n1")[0].get_label()
    '"0\\nP 0"'
    """
    import pydot

    picture = GraphPicture(game, refuse_layout(PictureOptions(**options)))
    texts, attributes_to_read = _texts_and_attributes(picture)
    graph = pydot.Dot("game", graph_type="digraph", **_graph_attributes(picture), **attributes_to_read)
    graph.set_node_defaults(**style.node(picture.theme))
    graph.set_edge_defaults(**style.edge(picture.theme))
    for statement in chain(_statements(picture, texts), *(_edges(picture, block) for block in picture.edges())):
        match statement:
            case Statement((name,), attributes):
                graph.add_node(pydot.Node(name, **attributes))  # type: ignore[arg-type]
            case Statement((source, target), attributes):
                graph.add_edge(pydot.Edge(source, target, **attributes))  # type: ignore[arg-type]
            case Rank(names):
                group = pydot.Subgraph(rank="same")
                for name in names:
                    group.add_node(pydot.Node(name))
                graph.add_subgraph(group)
    return graph


def refuse_layout(options: PictureOptions) -> PictureOptions:
    """Return the options; raise a ParameterError if they name a layout other than "dot", which DOT cannot have."""
    if options.layout not in (None, "dot"):
        raise ParameterError(
            "layout={layout!r} is only for images: use draw, and a file name that ends in .svg, .png or .pdf",
            options.layout,
        )
    return options


class Statement(NamedTuple):
    r"""A statement of DOT about a vertex, an edge, or the default attributes of vertices, edges or the graph.

    ``names`` has the name of a vertex, the names of both ends of an edge, or "node", "edge" or "graph" for defaults.

    Examples
    --------
    >>> Statement(("a", "b"), {"style": "dashed"}).line()
    'a -> b [style=dashed];\n'
    """

    names: tuple[str, ...]
    attributes: style.Attributes

    def line(self) -> str:
        """Return the statement as a line of DOT."""
        return f"{' -> '.join(self.names)}{_bracketed(self.attributes)};\n"


class Rank(NamedTuple):
    """A statement of DOT that puts the vertices ``names`` in one rank."""

    names: list[str]

    def line(self) -> str:
        """Return the statement as lines of DOT."""
        starts = range(0, len(self.names), _NAMES_A_LINE)
        lines = ("".join(f"{name};" for name in self.names[start : start + _NAMES_A_LINE]) + "\n" for start in starts)
        return f"{{rank=same;\n{''.join(lines)}}}\n"


def dot_lines(picture: GraphPicture, more: style.Attributes | None = None) -> Iterator[str]:
    """Yield the lines of a picture in DOT; ``more`` are further attributes of the graph."""
    yield "digraph game {\n"
    texts, attributes_to_read = _texts_and_attributes(picture)
    defaults = {
        "graph": {**_graph_attributes(picture), **attributes_to_read, **(more or {})},
        "node": style.node(picture.theme),
        "edge": style.edge(picture.theme),
    }
    yield from (Statement((name,), attributes).line() for name, attributes in defaults.items())
    yield from (statement.line() for statement in _statements(picture, texts))
    yield from _edge_lines(picture)
    yield "}\n"


def _statements(picture: GraphPicture, texts: Iterable[str]) -> Iterator[Statement | Rank]:
    """Yield the DOT statements of the shown vertices, of the ranks, and of each :class:`Stub` and the line to it.

    ``texts`` has the text of each shown vertex.
    """
    yield from _vertices(picture, texts)
    yield from ranks(picture)
    for stub in picture.stubs:
        vertex, line = style.stub(stub.hidden)
        yield from (Statement((stub.name,), vertex), Statement(stub.ends, line))


def _graph_attributes(picture: GraphPicture) -> style.Attributes:
    direction = {"rankdir": "LR"} if picture.options.left_to_right else {}
    spaces = {**spacing(picture, 0.3, 0.45), "pad": "0.15"}
    ratio = picture.options.ratio
    shape = {} if ratio is None else {"ratio": f"{1 / float(ratio):.4f}"}
    return {"bgcolor": dot_string(picture.theme.paper), **spaces, **shape, **direction, **heading(picture)}


def spacing(picture: GraphPicture, nodesep: float, ranksep: float) -> style.Attributes:
    """Return the attributes for the spaces between vertices and between ranks, in inches.

    ``ranksep`` is increased for wide ranks, between which edges would otherwise be too flat.
    """
    widest = max(map(len, picture.ranks()), default=0)
    ranksep += max(0, widest - _WIDE_RANK) / _WIDE_RANK
    return {"nodesep": f"{nodesep}", "ranksep": f"{min(ranksep, _LARGEST_RANKSEP):.2f}"}


def _texts_and_attributes(picture: GraphPicture) -> tuple[Iterable[str], style.Attributes]:
    """Return the texts of the shown vertices, and graph attributes: the kind of label (int, str, json), tokens."""
    graph, shown = picture.graph, picture.shown
    if picture.tokens is not None:
        number = graph.number_of
        graph = GameGraph(graph, tokens=[token for token in picture.tokens if shown[number(token)]])
    kind, texts = position_texts(graph.labels)
    attributes = graph_attributes(graph, kind)
    quoted = {name: dot_string(value) for name, value in attributes.items()}
    return texts if picture.is_whole else compress(texts, shown), quoted


def _vertices(picture: GraphPicture, texts: Iterable[str]) -> Iterator[Statement]:
    """Yield a statement for each shown vertex. ``texts`` become the attribute ``position``, which graphgame reads."""

    @cache
    def shape_and_fill(outcome: str | None, is_sum: bool, is_board: bool) -> style.Attributes:
        shape = style.vertex_shape(outcome, is_sum=is_sum, is_board=is_board)
        return {**shape, **(style.fill(picture.theme.color_of(outcome), picture.theme) if outcome else {})}

    for vertex, text in zip(picture.vertices(), texts, strict=True):
        look = shape_and_fill(vertex.outcome, vertex.is_sum, vertex.board is not None)
        attributes = {"label": _label(vertex), "tooltip": dot_string(tooltip_text(vertex.text)), **look}
        if vertex.tokens or vertex.is_centre:
            attributes["penwidth"] = "3"
        if vertex.tokens:
            attributes["color"] = dot_string(picture.theme.token)
        attributes["position"] = dot_string(text)
        if vertex.kind:
            attributes["kind"] = dot_string(vertex.kind) if "-" in vertex.kind else vertex.kind
        yield Statement((f"n{vertex.number}",), attributes)


def _label(vertex: DrawnVertex) -> str:
    """Return the label of a vertex in DOT: a quoted text, or an HTML-like table if it shows a board in a grid."""
    marks = " ".join(filter(None, [vertex.marks, style.pieces(vertex.tokens)]))
    board = "" if vertex.board is None else board_markup(vertex.board)
    if not board:
        return dot_string(label_text("\n".join(filter(None, [vertex.name, marks]))))
    name = "<BR/>".join(map(escaped, vertex.name.split("\n")))
    # If the name is wide, Graphviz gives the extra width to all columns. Nine empty columns on each side take it, so
    # that the board keeps its size.
    space = "<TD></TD>" * 9
    table = '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">'
    centred = f"{table}<TR>{space}<TD>{board}</TD>{space}</TR></TABLE>"
    cells = "".join(f"<TR><TD>{row}</TD></TR>" for row in (name, centred, escaped(marks)) if row)
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1">{cells}</TABLE>>'


def words_at(label: str | None, multiplicity: int) -> str:
    """Return the text at an edge: its label, if it has one, and "×2" if a part occurs twice in the sum."""
    return " ".join(filter(None, [label, f"×{multiplicity}" if multiplicity > 1 else ""]))


def edge_labels(graph: GameGraph) -> dict[tuple[int, int], str]:
    """Return the attribute ``label`` of the edges that have it: (source, target) -> label, by vertex number."""
    rows = graph.attributes.edges.items() if "label" in graph.attributes.names else ()
    return {(start, end): str(own["label"]) for start, row in rows for end, own in row.items() if "label" in own}


def ranks(picture: GraphPicture, anchor: style.Attributes | None = style.HIDDEN) -> Iterator[Statement | Rank]:
    """Yield the statements that put positions of the same birthday in one rank.

    With the option ``only``, each rank also gets a vertex with the attributes ``anchor``, by default an invisible one;
    None gives it no attributes. Invisible edges between these vertices keep the ranks in order.
    """
    anchors = list[str]()
    for index, rank in enumerate(picture.ranks()):
        anchors += [f"level{index}"] * picture.is_scattered
        yield Rank([*anchors[index:], *(f"n{number}" for number in rank.tolist())])
    yield from (Statement((name,), anchor) for name in anchors if anchor)
    yield from (Statement(ends, {"style": "invis"}) for ends in zip(anchors[1:], anchors, strict=False))


def _edges(picture: GraphPicture, block: DrawnEdges) -> Iterator[Statement]:
    kinds, labels = style.edge_kinds(picture.theme), edge_labels(picture.graph)
    for source, target, kind, multiplicity in zip(*(array.tolist() for array in block), strict=True):
        times = {"multiplicity": str(multiplicity)} if multiplicity > 1 else {}
        words = words_at(labels.get((source, target)), multiplicity)
        shown = {"label": dot_string(label_text(words))} if words else {}
        yield Statement((f"n{source}", f"n{target}"), {**kinds[kind], **times, **shown})


def _edge_lines(picture: GraphPicture) -> Iterable[str]:
    graph = picture.graph
    if edge_labels(graph) or graph.sums is not None:
        return (edge.line() for block in picture.edges() for edge in _edges(picture, block))
    kinds = style.edge_kinds(picture.theme)
    line = EdgeLine("n", " -> n", [f"{_bracketed(attributes)};\n" for attributes in kinds])
    blocks = (EdgeBlock(edges.source, edges.target, edges.kind) for edges in picture.edges())
    return edge_lines(blocks, as_labels(len(graph)), line, len(graph) + graph.number_of_edges())


def _bracketed(attributes: style.Attributes) -> str:
    return f" [{','.join(f'{name}={value}' for name, value in attributes.items())}]" if attributes else ""


def label_text(text: str) -> str:
    """Return a text with ``&`` escaped, for a label: Graphviz replaces entities. Then use :func:`dot_string`."""
    return text.replace("&", "&amp;")


def tooltip_text(text: str) -> str:
    """Return a tooltip's text with control characters, ``&`` and backslashes escaped. Then use :func:`dot_string`."""
    return printable_lines(text).replace("&", "&amp;").replace("\\", "\\\\")


def markup(text: str) -> str:
    """Return a title or a caption as text of an HTML-like label, in at most 8 lines."""
    return "<BR/>".join(map(escaped, heading_lines(text)))


def escaped(line: str) -> str:
    """Return a text with ``&``, ``<``, ``>``, quotes (``"``) and backslashes escaped, for an HTML-like label."""
    return escape(line, quote=False).replace('"', "&quot;").replace("\\", "\\\\")


def board_markup(picture: Picture) -> str:
    """Return a picture of a board as a table for an HTML-like label; an empty text if its cells are not in a grid.

    All rows get the same number of cells, because Graphviz would stretch the cells of shorter rows.
    """
    check_picture(picture)
    if not (lines := picture.rows):
        return ""
    blank, columns = _cell(Cell("blank")), max(map(len, lines))
    rows = ("".join(map(_cell, row)) + blank * (columns - len(row)) for row in lines)
    table = "".join(f"<TR>{row}</TR>" for row in rows)
    return (
        '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0" BGCOLOR="#ffffff" '
        f'COLOR="{CELL_LINE}"><TR><TD CELLPADDING="3"><TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">'
        f"{table}</TABLE></TD></TR></TABLE>"
    )


def _cell(cell: Cell) -> str:
    look, words = CELL_STYLES[cell.kind], printable(cell.text) if cell.text else ""
    shown = escaped(words or look.mark)
    size = "11" if words or look.rounded else "14"
    fixed = ' FIXEDSIZE="TRUE"' if len(words) < 3 else ""
    fill = "" if look.fill is None else f' BORDER="1" COLOR="{CELL_LINE}" BGCOLOR="{look.fill}"'
    style = ' STYLE="ROUNDED"' if look.rounded else ""
    inner = f'<FONT POINT-SIZE="{size}" COLOR="{look.ink}">{shown}</FONT>' if shown else ""
    return f'<TD{fixed} WIDTH="{CELL_SIDE}" HEIGHT="{CELL_SIDE}"{fill}{style}>{inner}</TD>'


_MOST_VERTICES_UNSCALED = 60
_LARGEST_SCALE = 6


def heading(picture: GraphPicture) -> style.Attributes:
    """Return the attributes of a graph for its title, caption and legend, above or below the graph.

    These are in the label of the graph, not in vertices, so that they do not change the layout. Their text is larger if
    the graph is larger, so that it can be read when the picture is reduced to a page.
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
    ink, side = dot_string(picture.theme.ink), "b" if picture.options.legend == "below" else "t"
    return {"label": f"<{table}>", "labelloc": side, "labeljust": "l", "fontname": style.FONT, "fontcolor": ink}


class _Legend:
    """The rows of the heading of a picture, mainly those of its legend. They are larger if the graph is larger."""

    def __init__(self, picture: GraphPicture) -> None:
        self.picture = picture
        self.theme = picture.theme
        self.scale = min(max(1, sqrt(picture.vertex_count() / _MOST_VERTICES_UNSCALED)), _LARGEST_SCALE)

    def entries(self) -> list[str]:
        """Return a row of the legend, a sign and its meaning, for each kind of :func:`legend_signs`."""
        return [self._entry(self._sign(kind) or sign, meaning) for kind, sign, meaning in legend_signs(self.picture)]

    def _sign(self, kind: str) -> str:
        """Return the markup of a sign, by its key in ``SIGNS``; "" for a sign that is a text there, such as "+3"."""
        if kind in "PND":
            return self._swatch(kind, self.theme.color_of(kind))
        if kind == "token":
            return f'<FONT COLOR="{self.theme.token}">{self.words(style.pieces(1))}</FONT>'
        return self._line(5 if kind == "token win" else 2) if kind in ("token win", "win") else ""

    def row(self, cell: str) -> str:
        """Return a row of the heading with one cell."""
        return f'<TR><TD ALIGN="LEFT" BALIGN="LEFT">{cell}</TD></TR>'

    def words(self, text: str, size: int = 10) -> str:
        """Return markup for a text of ``size`` points, enlarged by the scale of the picture."""
        return f'<FONT POINT-SIZE="{size * self.scale:.3g}">{text}</FONT>'

    def _entry(self, sign: str, meaning: str) -> str:
        sign = sign if sign.startswith("<") else self.words(sign)
        # If the title is wide, Graphviz shares the extra width among the columns. The meaning spans 20 of them, so that
        # its sign stays beside it.
        return f'<TR><TD>{sign}</TD><TD ALIGN="LEFT" COLSPAN="20">{self.words(f"&#160;{meaning}")}</TD></TR>'

    def _swatch(self, letter: str, color: str) -> str:
        """Return a box with a letter, P, N or D, filled with ``color``: double for P, with a hexagon beside a D."""
        rounded, double = (' STYLE="ROUNDED"', 1) if letter == "P" else ("", 0)
        sign = f'<FONT COLOR="{style.ink_on(color)}">{self.words(f"⬡ {letter}" if letter == "D" else letter, 9)}</FONT>'
        return (
            f'<TABLE BORDER="1" CELLBORDER="{double}" CELLSPACING="{2 * double}" CELLPADDING="0" '
            f'COLOR="{self.theme.outline}"{rounded}><TR><TD WIDTH="{22 * self.scale:.0f}"{rounded} '
            f'BGCOLOR="{color}">{sign}</TD></TR></TABLE>'
        )

    def _line(self, width: int) -> str:
        """Return a short line in the colour of winning moves; ``width`` is its thickness in points, before scaling."""
        wide, high = 24 * self.scale, width * self.scale
        return (
            '<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="0"><TR>'
            f'<TD FIXEDSIZE="TRUE" WIDTH="{wide:.0f}" HEIGHT="{high:.0f}" BGCOLOR="{self.theme.winning}"></TD>'
            "</TR></TABLE>"
        )
