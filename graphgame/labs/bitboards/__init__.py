"""Games on boards and graphs. Many are explored on bitboards: sets of cells, written as the bits of integers."""

from graphgame.registry import register

_CODED = "graphgame.labs.coded.CodedRuleset"

register("games", "bitboards", "labs.bitboards.catalogue:GAMES")
register("exploration", _CODED, "labs.bitboards.coded_exploration:explored_codes")
register("self-check", _CODED, "labs.bitboards.coded_exploration:check_codes")
register(
    "exploration",
    "graphgame.labs.bitboards.placement.MaskRuleset",
    "labs.bitboards.exploration:explored_cells",
)
