"""What a page knows of a game: plain lists by vertex number, ready for JSON."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from graphgame.arrays.decided import SUNNY
from graphgame.errors import LimitError
from graphgame.explanation.sentences import SENTENCES
from graphgame.explanation.text import printable
from graphgame.explanation.texts import LANGUAGES, lookup
from graphgame.export.options import PictureOptions
from graphgame.export.page.boards import boards
from graphgame.export.page.layout import board_box, box_size, graphviz_layout
from graphgame.export.selection import KEEP_A_PART, PICTURE_A_PART, select
from graphgame.graph import GameGraph
from graphgame.results import Decisive, Loopy, Play, VertexValues
from graphgame.solution import LoopySolution, Solution, solve
from graphgame.sums import Product

if TYPE_CHECKING:
    from graphgame.rules.position import Position

MOST_POSITIONS = 20_000
"""Vertices in one page, and positions of the explicit product of its tokens' sum."""

MOST_MOVES = 500_000
"""Edges in one page."""

_PLAYS: tuple[Play, ...] = ("normal", "misere")


def page_data(
    solution: Solution, *, reachable_from: Iterable[Hashable] = (), position: Position | None = None
) -> dict[str, Any]:
    """Return what a page knows of a game.

    Raises
    ------
    LimitError
        It is too large for a page, or its misère play is.
    UnknownPositionError
        A position of ``reachable_from`` is not a vertex.
    """
    kept = _kept(solution, list(reachable_from))
    graph = _part(solution, kept)
    check_page_size(graph)
    vertices = [] if position is None else list(position.graph().labels.take(kept))
    shown = shown_data(solution, graph, kept, vertices, position)
    tokens = [graph.number_of(token) for token in graph.tokens or ()]
    product = _product(graph, tokens, solution.engine)
    if solution.play == "misere" and product is None and not shown["nim"] and (len(tokens) > 1 or shown["sums"]):
        raise LimitError(
            "misère play of this sum has more than {most:,} positions, the most that a page plays out, and no theorem "
            "gives the winner: choose a smaller sum, or normal play",
            MOST_POSITIONS,
        )
    return {**shown, "plays": {play: _plays(graph, play, solution) for play in _PLAYS}, "product": product}


def shown_data(
    solution: Solution, graph: GameGraph, kept: np.ndarray, vertices: list[Hashable], position: Position | None
) -> dict[str, Any]:
    """Return what a page shows of a part of a game and of the positions that are its vertices, but for values."""
    attributes = solution.graph.attributes
    labels = [
        _label(attributes.of_node(v, False).get("label", position))
        for v, position in zip(kept.tolist(), graph.labels, strict=True)
    ]
    sums = [] if graph.sums is None else np.flatnonzero(graph.sums).tolist()
    shown = boards(position, vertices)
    board_width, board_height = board_box(shown["surfaces"], len(graph))
    texts = [*labels, *_value_texts(solution)]
    word_width, words = box_size(texts, with_sums=bool(sums), with_boards=board_height > 0)
    width, height = max(board_width, word_width), words + board_height
    tokens = None if graph.tokens is None else [graph.number_of(token) for token in graph.tokens]
    return {
        "play": solution.play,
        "labels": labels,
        "pointers": graph.option_rows.pointers.tolist(),
        "options": graph.option_rows.indices.tolist(),
        "sums": sums,
        "decided": _decided(graph, position),
        "tokens": tokens,
        **shown,
        "nim": position is not None and bool(position.nim_heaps),
        "sentences": {
            language: {key: lookup(english, language) for key, english in SENTENCES.items()} for language in LANGUAGES
        },
        "words": words,
        "width": width,
        "height": height,
        "layout": graphviz_layout(solve(graph, engine=solution.engine, cycles="loopy"), width, height),
    }


def _label(position: object) -> str:
    """Return the text of a position or of its ``label``, with what is not printable written out, line by line."""
    return "\n".join(printable(line, 0) if line else "" for line in (str(position) or '""').split("\n"))


def _kept(solution: Solution, starts: list[Hashable]) -> np.ndarray:
    graph = solution.graph
    if not starts:
        return np.arange(len(graph))
    starts += solution.tokens or ()
    mask = select(graph, None, PictureOptions(reachable_from=starts))
    return np.arange(len(graph)) if mask is None else np.flatnonzero(mask)


def _part(solution: Solution, kept: np.ndarray) -> GameGraph:
    """Return the graph of vertices that are closed under moves, with the tokens that the solution asks about."""
    graph = solution.graph
    if len(kept) == len(graph):
        return GameGraph(graph, tokens=solution.tokens)
    number = np.full(len(graph), -1)
    number[kept] = np.arange(len(kept))
    source = number[graph.option_rows.owners()]
    inside = source >= 0
    return GameGraph.from_arrays(
        source[inside],
        number[graph.option_rows.indices[inside]],
        graph.labels.take(kept),
        sums=None if graph.sums is None else graph.sums[kept],
        decided=None if graph.decided is None else graph.decided[kept],
        tokens=solution.tokens,
    )


def check_page_size(graph: GameGraph) -> None:
    """Raise a LimitError where a graph is too large for a page."""
    if len(graph) > MOST_POSITIONS or graph.number_of_edges() > MOST_MOVES:
        raise LimitError(
            "{count:,} positions and {count2:,} moves: a page holds at most {most_positions:,} and "
            "{most_moves:,}; keep a part with {keep_a_part}, merge equal positions with reduce "
            "(graphgame reduce SOURCE -o OUT.html), or draw a picture of a part, with "
            "{picture_a_part}",
            len(graph),
            graph.number_of_edges(),
            MOST_POSITIONS,
            MOST_MOVES,
            KEEP_A_PART,
            PICTURE_A_PART,
        )


def _plays(graph: GameGraph, play: Play, solution: Solution) -> dict[str, Any]:
    """Return what is known of each vertex; null where it is the product's to tell, which sum vertices need."""
    if play == "misere" and (graph.sums is not None or graph.decided is not None):
        return {"values": None, "remoteness": None}
    solved = solve(graph, play=play, engine=solution.engine, cycles="loopy", product_limit=solution.product_limit)
    counter = {"counter": solved.counter.take(slice(None))} if isinstance(solved, LoopySolution) else {}
    known = _known(solved) if graph.sums is None else {"values": _values(solved.grundy), "remoteness": None}
    longest = {} if graph.decided is None else {"longest": solved.birthday.take(slice(None))}
    return {**known, **counter, **longest}


def _known(solution: Solution) -> dict[str, Any]:
    return {"values": _values(solution.grundy), "remoteness": solution.remoteness.take(slice(None))}


def _values(grundy: VertexValues[Any]) -> list[int | list[int] | str]:
    """Return the values; an infinite one as the list of the finite values that it holds, a decisive one as a word."""
    return [
        sorted(value.finite) if isinstance(value, Loopy) else str(value) if isinstance(value, Decisive) else value
        for value in grundy.take(slice(None))
    ]


def _decided(graph: GameGraph, position: Position | None) -> dict[int, str] | None:
    """Return who has won at each decided vertex, "P" or "N"; None where the rules never decide one."""
    if graph.decided is None:
        by_rules = position is not None and any(component.ruleset.decides for component in position.components)
        return {} if by_rules else None
    return {v: "P" if graph.decided[v] == SUNNY else "N" for v in np.flatnonzero(graph.decided).tolist()}


def _value_texts(solution: Solution) -> list[str]:
    """Return what stands in the vertices whose value is no number, which may be longer than their names."""
    kinds = (value for value in solution.counts().histogram if isinstance(value, (Loopy, Decisive)))
    return [f"{kind.outcome} {kind}" for kind in kinds]


def _product(graph: GameGraph, tokens: list[int], engine: str) -> dict[str, Any] | None:
    """Return the explicit sums that play can come to, each as the vertex numbers of its components."""
    product = _smallest_product(graph, tokens)
    if product is None:
        return None
    sums = cast("list[tuple[Hashable, ...]]", list(product.graph.labels))
    plays = _PLAYS[: 1 if graph.decided is not None else 2]
    solutions = {play: solve(product.graph, play=play, engine=engine, cycles="loopy") for play in plays}
    return {
        "sums": [[graph.number_of(part) for part in position] for position in sums],
        "plays": {play: _known(solved) for play, solved in solutions.items()},
    }


def _smallest_product(graph: GameGraph, tokens: list[int]) -> Product | None:
    """Return the product of the tokens, and of every vertex where sums make each a game of several parts.

    It has the sums after which a player misses a win by a decided position too, unless they are too many.
    """
    whole = [tokens] if len(tokens) > 1 else []
    every = [] if graph.sums is None else [[vertex] for vertex in range(len(graph))]
    single = [tokens] if graph.sums is not None and len(tokens) == 1 else whole
    for after_misses in (True, False) if graph.decided is not None else (True,):
        for starts in (whole + every, single):
            try:
                return Product(graph, starts, MOST_POSITIONS, whole=after_misses) if starts else None
            except LimitError:
                continue
    return None
