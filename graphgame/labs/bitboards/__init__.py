"""Games on boards and graphs: their positions are sets of cells, which bits of integers stand for."""

from graphgame.registry import register

register("games", "bitboards", "labs.bitboards.catalogue:GAMES")
register(
    "exploration",
    "graphgame.labs.bitboards.placement.MaskRuleset",
    "labs.bitboards.exploration:explored_cells",
)
