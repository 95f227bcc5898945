"""Draw tables of values as boards with a cell for each entry, without moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphgame.cli import common
from graphgame.cli.common import Game
from graphgame.cli.draw import picture_options_of
from graphgame.cli.errors import UsageError
from graphgame.cli.progress import Exploring, shown
from graphgame.drawing.image import draw
from graphgame.errors import Message, ParameterError
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels
from graphgame.io.files import PathLike
from graphgame.labs.layouts.board import FARTHEST, PairLabels
from graphgame.labs.tables.tables import ValueTable
from graphgame.labs.tables.value_tables import value_table
from graphgame.solution.solve import Solution

_NEEDS_MOVES = ("around", "reachable_from", "merge", "pictures", "genus", "left_to_right", "force")
_FILES = (".svg", ".png", ".pdf", ".tex")


class TableSolution(Solution):
    """A solution for drawing: its values are given, not computed, and its graph has no moves.

    Parameters
    ----------
    positions : Labels or list of pairs
        The pairs of numbers that are positions: the labels of the graph.
    values : ndarray of int32
        The value of each of these positions, in the same order.
    misere : bool
    """

    def __init__(self, positions: Labels | list[tuple[int, ...]], values: np.ndarray, misere: bool) -> None:
        self._values = values
        no_edges = np.zeros(0, np.int64)
        super().__init__(GameGraph.from_arrays(no_edges, no_edges, positions), misere)

    def _solve(self) -> None:
        self._order = np.arange(len(self._values))


def draw_table(table: ValueTable, path: PathLike, **options: Any) -> None:  # noqa: ANN401
    """Draw a table of two ranges as a board, or as a heat map if the cells are too small for numbers.

    Parameters
    ----------
    table : ValueTable
    path : str or os.PathLike
        A .svg, .png, .pdf or .tex file.
    **options
        See :class:`PictureOptions`. Options about moves or single positions are not accepted, nor any ``layout`` but
        "board".

    Raises
    ------
    ParameterError
        An option is not accepted. Or the table has only one range, more than 4,000 rows or columns, or no values. Or a
        value is not an integer below 2**31.
    FormatError
        The file name has another ending.
    LayoutError
        The picture would be a heat map, and the file is a .tex file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from graphgame.labs.tables.value_tables import value_table
    >>> path = pathlib.Path(tempfile.mkdtemp(), "wythoff.svg")
    >>> draw_table(value_table("wythoff(0..200, 0..200)"), path, theme="dark")
    """
    refused = [name for name in _NEEDS_MOVES if options.get(name)]
    if refused or options.get("layout") not in (None, "board"):
        raise ParameterError(
            "the picture of a table is a board without moves: leave out {options}",
            ", ".join(refused) or Message("layout"),
        )
    if len(table.ranges) < 2:
        raise ParameterError(
            "a board shows a table of two ranges: draw a sequence with graphgame values --plot, or plot_values"
        )
    if table.values is None:
        raise ParameterError(
            "a board shows values, but this table has only outcomes: draw it with graphgame values --outcomes --plot, "
            "or plot_values(..., outcomes=True)"
        )
    present = np.array(table.outcomes).astype(bool)
    for axis in (0, 1):
        numbers = np.flatnonzero(present.any(axis=axis))
        if (numbers[-1:] - numbers[:1] >= FARTHEST).any():
            raise ParameterError(
                "the picture of a table has at most {most:,} rows and columns: choose shorter ranges", FARTHEST
            )
    entries = np.array(table.values, object)
    try:
        values = entries[present].astype(np.int32)
    except (TypeError, OverflowError):
        raise ParameterError("a board can show only values that are integers below 2**31") from None
    positions = (
        PairLabels(*table.ranges)
        if present.all()
        else [tuple(map(range.__getitem__, table.ranges, cell)) for cell in np.argwhere(present).tolist()]
    )
    solution = TableSolution(positions, values, table.misere)
    draw(solution, path, **{"title": table.text, **options, "layout": "board"})


def draw_ranges(game: Game, path: str, options: dict[str, Any]) -> None:
    """Write a picture of the table of ``game``, a position with ranges; ``graphgame draw`` calls this.

    Raises UsageError if an option is about moves, cycles, tokens or single positions, if the option ``plain`` is set,
    if ``layout`` is a layout other than "board", or if ``path`` does not name an image or a .tex file.
    """
    options.pop("max_forms")
    plain = options.pop("plain")
    refused = any(options[name] for name in (*_NEEDS_MOVES, "only")) or options["layout"] not in (None, "board")
    if plain or refused or game.product or game.tokens or game.loopy or not path.lower().endswith(_FILES):
        raise UsageError(
            "positions with ranges are drawn only as a whole board, to an .svg, .png, .pdf or .tex file: leave out "
            "--plain, every --layout except board, and options about moves, cycles, tokens or single positions"
        )
    with common.limits_named(), shown(Exploring) as exploring:
        table = value_table(
            game.source, misere=game.misere, max_positions=game.max_positions, progress=exploring, run_rules=True
        )
    about_tables = {name: option for name, option in options.items() if name not in ("pictures", "genus")}
    draw_table(table, path, **picture_options_of(GameGraph([]), about_tables))
    common.tell_of(path)
