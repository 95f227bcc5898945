"""Games on boards and graphs, with positions as bitboards: sets of cells written as the bits of integers."""

from graphgame.registry import register

_CODED = "graphgame.labs.bitboards.coded.CodedRuleset"

register("games", "bitboards", "labs.bitboards.catalogue:GAMES")
register("exploration", "graphgame.games.cutting.Cutting", "labs.bitboards.coded:explored_sheets")
register("exploration", _CODED, "labs.bitboards.coded:explored_codes")
register("self-check", _CODED, "labs.bitboards.coded:check_codes")
register(
    "exploration",
    "graphgame.labs.bitboards.placement.MaskRuleset",
    "labs.bitboards.exploration:explored_cells",
)
