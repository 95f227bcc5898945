"""Games on boards and graphs, with positions as bitboards: sets of cells written as the bits of integers."""

from graphgame.registry import register

register("games", "bitboards", "labs.bitboards.catalogue:GAMES")
register("exploration", "graphgame.rules.coded.CodedRuleset", "labs.bitboards.coded_exploration:explored_codes")
register(
    "exploration",
    "graphgame.labs.bitboards.placement.MaskRuleset",
    "labs.bitboards.exploration:explored_cells",
)
