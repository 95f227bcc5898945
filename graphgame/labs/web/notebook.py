"""Show games in a notebook: small graphs as pictures by Graphviz, other graphs as tables, and positions as boards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from html import escape
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from graphgame.drawing import draw
from graphgame.drawing.image import graphviz_command
from graphgame.errors import LayoutError, LimitError, Message, MissingExtraError
from graphgame.graph.gamegraph import GameGraph
from graphgame.labs.layouts.pictures import picture_svg
from graphgame.rules.position import Component, Position
from graphgame.rules.rule_errors import rule_errors
from graphgame.solution.solve import Solution
from graphgame.text.languages import amount, translate
from graphgame.text.text import MOST_ROWS, printable, verdict_text

MOST_DRAWN = 60
"""A graph is drawn if it has at most this many vertices, and at most four times this number of edges."""

_MOST_COMPONENTS = 50

Bundle = dict[str, str]


def bundle(shown: GameGraph | Solution | Position) -> Bundle:
    """Return what a notebook shows for a graph, a solution or a position: media type -> content.

    Examples
    --------
    >>> sorted(bundle(GameGraph((n, n + 1) for n in range(100))))
    ['text/html']
    >>> from graphgame.rules.notation import parse_position
    >>> bundle(parse_position("nim(2)"))["text/html"][:34]
    '<div><div>nim(2)<br><svg xmlns="ht'
    """
    if isinstance(shown, Position):
        return _position(shown)
    return _graph(shown) if isinstance(shown, GameGraph) else _solution(shown)


def _graph(graph: GameGraph) -> Bundle:
    if drawing := _drawing(graph, graph):
        return drawing
    rows = ([label, ", ".join(map(printable, islice(graph.successors(label), MOST_ROWS)))] for label in graph.labels)
    return _table(str(graph), ["position", "options"], rows, len(graph))


def _solution(solution: Solution) -> Bundle:
    graph = solution.graph
    if drawing := _drawing(solution, graph):
        return drawing
    first = slice(MOST_ROWS)
    columns: dict[str, list[Any]] = {"grundy": solution.grundy.take(first), "outcome": solution.outcome.take(first)}
    with suppress(LimitError):
        columns["remoteness"] = solution.remoteness.take(first)
    rows = zip(graph.labels, *columns.values(), strict=False)
    return _table(_heading(solution), ["position", *columns], rows, len(graph))


def _position(position: Position) -> Bundle:
    """Return the boards of the first 50 components of a position, as HTML. The position is not solved."""
    boards = "".join(map(_component, position.components[:_MOST_COMPONENTS]))
    hidden = len(position.components) - _MOST_COMPONENTS
    notes = []
    if hidden > 0:
        notes.append(translate("... and {components} more", components=amount(hidden, "component")))
    if position.misere:
        notes.append(translate("misère play"))
    lines = "".join(f"<div>{note}</div>" for note in notes)
    return {"text/html": f"<div>{boards or translate('no component')}{lines}</div>"}


def _heading(solution: Solution) -> str:
    heading = repr(solution)[1:-1]
    with suppress(LimitError):
        return f"{heading}: {verdict_text(solution.winner)}" if solution.tokens else heading
    return heading


def _drawing(drawn: GameGraph | Solution, graph: GameGraph) -> Bundle | None:
    """Return an SVG picture of ``drawn``; None if it is too large, or if Graphviz is missing or fails.

    ``graph`` is ``drawn`` itself or, for a solution, its graph.
    """
    small = len(graph) <= MOST_DRAWN and graph.number_of_edges() <= 4 * MOST_DRAWN
    if not small or graphviz_command() is None:
        return None
    with TemporaryDirectory() as folder:
        path = Path(folder, "game.svg")
        try:
            draw(drawn, path)
        except (LayoutError, MissingExtraError):
            return None
        text = path.read_text(encoding="utf-8")
    return {"image/svg+xml": text[text.index("<svg") :]}


def _table(caption: str, header: Sequence[str], rows: Iterable[Sequence[object]], total: int) -> Bundle:
    """Return an HTML table with the first :data:`MOST_ROWS` of ``rows``, and the number of the rows not shown.

    ``total`` is the number of all rows; ``rows`` may end after those that are shown. All text is escaped.
    """
    lines = [_row("th", header), *(_row("td", row) for row in islice(rows, MOST_ROWS))]
    rest = translate("... and {count} more", count=f"{total - MOST_ROWS:,}")
    more = f"<div>{rest}</div>" if total > MOST_ROWS else ""
    return {"text/html": f"<div><table><caption>{escape(caption)}</caption>{''.join(lines)}</table>{more}</div>"}


def _row(kind: str, cells: Iterable[object]) -> str:
    texts = ("-" if cell is None else escape(printable(cell)) for cell in cells)
    return f"<tr>{''.join(f'<{kind}>{text}</{kind}>' for text in texts)}</tr>"


def _component(component: Component) -> str:
    name, ruleset, position = component
    with rule_errors(name, Message("the picture"), position):
        picture, board = ruleset.picture(position), ruleset.board(position)
        heading = escape(printable(component))
    return f"<div>{heading}<br>{f'<pre>{escape(board)}</pre>' if picture is None else picture_svg(picture)}</div>"
