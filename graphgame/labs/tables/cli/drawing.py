"""How ``graphgame draw`` draws a position with ranges: as a board."""

from __future__ import annotations

from typing import Any

from graphgame.cli import common
from graphgame.cli.common import Game
from graphgame.cli.draw import is_page, picture_options_of
from graphgame.cli.errors import UsageError
from graphgame.cli.progress import Exploring, shown
from graphgame.graph.gamegraph import GameGraph
from graphgame.labs.tables.boards import draw_table
from graphgame.labs.tables.value_tables import value_table


def draw_ranges(game: Game, path: str, options: dict[str, Any]) -> None:
    """Draw a position with ranges as a board."""
    options.pop("max_forms")
    refused = [name for name in ("around", "reachable_from", "only", "merge", "pictures", "genus") if options[name]]
    if refused or game.product or game.tokens or game.loopy or is_page(path):
        raise UsageError(
            "positions with ranges are drawn as a board, whole, in .svg, .png, .pdf or .tex: "
            "leave out options about moves"
        )
    with common.limits_named(), shown(Exploring) as exploring:
        table = value_table(
            game.source, play=game.play, max_positions=game.max_positions, progress=exploring, run_rules=True
        )
    kept = {name: option for name, option in options.items() if name not in ("pictures", "genus")}
    draw_table(table, path, **picture_options_of(GameGraph([]), kept))
    common.tell_of(path)
