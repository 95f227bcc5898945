"""Pictures as DOT: text that Graphviz lays out, and that :func:`graphgame.read_game` reads back.

The vertices are written ``n0``, ``n1``, ... by number, with the position's text in the attribute ``position``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain, compress
from typing import TYPE_CHECKING, Any

from graphgame.drawing import style
from graphgame.drawing.boards import board_markup
from graphgame.drawing.captions import centred, escaped, label_text, tooltip_text
from graphgame.drawing.headings import heading
from graphgame.drawing.options import PictureOptions, picture_options
from graphgame.drawing.picture import DrawnEdges, DrawnVertex, GraphPicture
from graphgame.drawing.themes import Theme
from graphgame.errors import OptionError
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.graph.labels import as_labels
from graphgame.io.dot import quote
from graphgame.io.edges import EdgeBlock, EdgeLine, edge_lines
from graphgame.io.files import PathLike, open_atomic
from graphgame.io.interchange import graph_attributes, position_texts

if TYPE_CHECKING:
    import pydot

_NAMES_A_LINE = 500
_WIDE = 20
_FARTHEST = 5


def write_dot(drawn: GameLike, path: PathLike, **options: Any) -> None:  # noqa: ANN401
    """Write a picture as DOT.

    Parameters
    ----------
    drawn : GameLike
        A graph is drawn as it stands, and may have cycles; a solution, a position, a text or a file with values and
        winning moves.
    path : str or os.PathLike
        ``-`` is standard output; ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` compress.
    **options
        See :class:`PictureOptions`.

    Raises
    ------
    OptionError
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
    picture = GraphPicture(drawn, refuse_layout(picture_options(options)))
    with open_atomic(path) as stream:
        stream.writelines(dot_lines(picture))


def to_pydot(drawn: GameLike, **options: Any) -> pydot.Dot:  # noqa: ANN401
    r"""Return a picture as a pydot graph, to go on styling.

    Parameters
    ----------
    drawn : GameLike
        As for :func:`write_dot`.
    **options
        See :class:`PictureOptions`.

    Raises
    ------
    OptionError
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

    picture = GraphPicture(drawn, refuse_layout(picture_options(options)))
    texts, record = _record(picture)
    graph = pydot.Dot("game", graph_type="digraph", **_graph_attributes(picture), **record)
    graph.set_node_defaults(**style.node(picture.theme))
    graph.set_edge_defaults(**style.edge(picture.theme))
    for name, attributes in _vertices(picture, texts):
        graph.add_node(pydot.Node(name, **attributes))  # type: ignore[arg-type]
    for place, rank in enumerate(picture.ranks()):
        group = pydot.Subgraph(rank="same")
        for name in [f"level{place}"] * picture.is_scattered + [f"n{number}" for number in rank.tolist()]:
            group.add_node(pydot.Node(name))
        graph.add_subgraph(group)
        if picture.is_scattered:
            graph.add_node(pydot.Node(f"level{place}", **style.HIDDEN))  # type: ignore[arg-type]
            if place:
                graph.add_edge(pydot.Edge(f"level{place}", f"level{place - 1}", style="invis"))
    for name, attributes, ends, line in _stubs(picture):
        graph.add_node(pydot.Node(name, **attributes))  # type: ignore[arg-type]
        graph.add_edge(pydot.Edge(*ends, **line))  # type: ignore[arg-type]
    kinds = style.edge_kinds(picture.theme)
    for edges in picture.edges():
        for source, target, attributes in _edges(edges, kinds, _labels(picture.graph)):
            graph.add_edge(pydot.Edge(source, target, **attributes))  # type: ignore[arg-type]
    return graph


def refuse_layout(options: PictureOptions) -> PictureOptions:
    """Return options of a picture in DOT; raise an OptionError where they ask for another layout."""
    if options.layout not in (None, "dot"):
        raise OptionError("layout={layout!r} is for images: give draw a name in .svg, .png or .pdf", options.layout)
    return options


def dot_lines(picture: GraphPicture) -> Iterator[str]:
    """Yield the lines of a picture."""
    yield "digraph game {\n"
    texts, record = _record(picture)
    yield f"graph{_bracketed({**_graph_attributes(picture), **record})};\n"
    yield f"node{_bracketed(style.node(picture.theme))};\nedge{_bracketed(style.edge(picture.theme))};\n"
    for name, attributes in _vertices(picture, texts):
        yield f"{name}{_bracketed(attributes)};\n"
    yield from _rank_lines(picture)
    for name, attributes, (source, target), line in _stubs(picture):
        yield f"{name}{_bracketed(attributes)};\n{source} -> {target}{_bracketed(line)};\n"
    kinds = style.edge_kinds(picture.theme)
    yield from _edge_lines(picture, kinds)
    yield "}\n"


def _graph_attributes(picture: GraphPicture) -> style.Attributes:
    direction = {"rankdir": "LR"} if picture.options.left_to_right else {}
    far = 0.45 + max(0, picture.widest_rank() - _WIDE) / _WIDE
    spaces = {"nodesep": "0.3", "ranksep": f"{min(far, _FARTHEST):.2f}", "pad": "0.15"}
    ratio = picture.options.ratio
    shape = {} if ratio is None else {"ratio": f"{1 / float(ratio):.4f}"}
    return {"bgcolor": quote(picture.theme.paper), **spaces, **shape, **direction, **heading(picture)}


def _record(picture: GraphPicture) -> tuple[Iterable[str], style.Attributes]:
    """Return what a reader of the graph needs: the texts of the positions shown, and attributes of the graph."""
    graph, chosen = picture.graph, picture.chosen
    if picture.tokens is not None:
        number = graph.number_of
        graph = GameGraph(graph, tokens=[t for t in picture.tokens if chosen is None or chosen[number(t)]])
    kind, texts = position_texts(graph.labels)
    attributes = graph_attributes(graph, kind)
    return texts if chosen is None else compress(texts, chosen), {name: quote(a) for name, a in attributes.items()}


def _vertices(picture: GraphPicture, texts: Iterable[str]) -> Iterator[tuple[str, style.Attributes]]:
    """Yield each vertex, with what a reader needs."""
    dress = cache(partial(_dress, picture.theme))
    for vertex, text in zip(picture.vertices(), texts, strict=True):
        look = dress(vertex.outcome, vertex.is_sum, vertex.board is not None)
        attributes = {"label": _label(vertex), "tooltip": quote(tooltip_text(vertex.text)), **look}
        if vertex.tokens or vertex.is_centre:
            attributes["penwidth"] = "3"
        if vertex.tokens:
            attributes["color"] = quote(picture.theme.token)
        attributes["position"] = quote(text)
        if vertex.kind:
            attributes["kind"] = quote(vertex.kind) if "-" in vertex.kind else vertex.kind
        yield f"n{vertex.number}", attributes


def _label(vertex: DrawnVertex) -> str:
    """Return a label as it stands in DOT: words that a person can edit, or a table where there is a board."""
    marks = " ".join(filter(None, [vertex.marks, style.pieces(vertex.tokens)]))
    board = "" if vertex.board is None else board_markup(vertex.board)
    if not board:
        return quote(label_text("\n".join(filter(None, [vertex.name, marks]))))
    name = "<BR/>".join(map(escaped, vertex.name.split("\n")))
    cells = "".join(f"<TR><TD>{row}</TD></TR>" for row in (name, centred(board), escaped(marks)) if row)
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1">{cells}</TABLE>>'


def _dress(theme: Theme, outcome: str | None, is_sum: bool, is_board: bool) -> style.Attributes:
    color = dict(zip("PND", theme.fills, strict=True)).get(outcome or "")
    shape = style.vertex_shape(outcome, is_sum=is_sum, is_board=is_board)
    return {**shape, **(style.fill(color, theme) if color else {})}


def _rank_lines(picture: GraphPicture) -> Iterator[str]:
    """Yield the groups of vertices in one rank; where moves miss, in the order of play."""
    anchors = list[str]()
    for place, rank in enumerate(picture.ranks()):
        anchors += [f"level{place}"] * picture.is_scattered
        names = [*anchors[-1:], *(f"n{number}" for number in rank.tolist())]
        yield "{rank=same;\n"
        for start in range(0, len(names), _NAMES_A_LINE):
            yield "".join(f"{name};" for name in names[start : start + _NAMES_A_LINE]) + "\n"
        yield "}\n"
    for name in anchors:
        yield f"{name}{_bracketed(style.HIDDEN)};\n"
    for upper, lower in zip(anchors[1:], anchors, strict=False):
        yield f"{upper} -> {lower} [style=invis];\n"


def _stubs(picture: GraphPicture) -> Iterator[tuple[str, style.Attributes, tuple[str, str], style.Attributes]]:
    """Yield what stands for moves that are cut off: a name and its attributes, and the ends of a line and its."""
    for number, ahead, back in picture.stubs:
        place = f"n{number}"
        for count, name, ends in (
            (ahead, f"{place}_ahead", (place, f"{place}_ahead")),
            (back, f"{place}_back", (f"{place}_back", place)),
        ):
            if count:
                vertex, line = style.stub(count)
                yield name, vertex, ends, line


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


def _edges(
    edges: DrawnEdges, kinds: Sequence[style.Attributes], labels: dict[tuple[int, int], str]
) -> Iterator[tuple[str, str, style.Attributes]]:
    for source, target, kind, multiplicity in zip(*(array.tolist() for array in edges), strict=True):
        times = {"multiplicity": str(multiplicity)} if multiplicity > 1 else {}
        words = _words_at(labels.get((source, target)), multiplicity)
        shown = {"label": quote(label_text(words))} if words else {}
        yield f"n{source}", f"n{target}", {**kinds[kind], **times, **shown}


def _edge_lines(picture: GraphPicture, kinds: Sequence[style.Attributes]) -> Iterable[str]:
    graph, labels = picture.graph, _labels(picture.graph)
    if labels or graph.sums is not None:
        rows = chain.from_iterable(_edges(edges, kinds, labels) for edges in picture.edges())
        return (f"{source} -> {target}{_bracketed(attributes)};\n" for source, target, attributes in rows)
    line = EdgeLine("n", " -> n", [f"{_bracketed(attributes)};\n" for attributes in kinds])
    blocks = (EdgeBlock(edges.source, edges.target, edges.kind) for edges in picture.edges())
    return edge_lines(blocks, as_labels(len(graph)), line, len(graph) + graph.number_of_edges())


def _bracketed(attributes: style.Attributes) -> str:
    return f" [{','.join(f'{name}={value}' for name, value in attributes.items())}]" if attributes else ""
