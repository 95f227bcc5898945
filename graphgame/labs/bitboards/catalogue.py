"""Games on boards and graphs, as entries of the catalogue."""

from __future__ import annotations

from graphgame.rules.ruleset import Entry

_BOARDS, _GRAPHS = "labs.bitboards.board_games", "labs.bitboards.graph_games"

GAMES = (
    Entry("chomp", "labs.bitboards.chocolate", "Chomp", "chomp(3x4)"),
    Entry("chocolate", "labs.bitboards.chocolate", "Chocolate", "chocolate(4x5)"),
    Entry("bitter-chocolate", "labs.bitboards.chocolate", "BitterChocolate", "bitter-chocolate(4x5@2,3)"),
    Entry("cram", _BOARDS, "Cram", "cram(4x5)"),
    Entry("amazons", _BOARDS, "Amazons", "amazons(Q../.../..Q)"),
    Entry("notakto", _BOARDS, "Notakto", "notakto(.X./.../..X)"),
    Entry("node-kayles", _GRAPHS, "NodeKayles", "node-kayles(grid:4x5)"),
    Entry("arc-kayles", _GRAPHS, "ArcKayles", "arc-kayles(edges:a-b,b-c,c-d)"),
    Entry("clobber", _BOARDS, "Clobber", "clobber(3x4)"),
    Entry("nogo", _BOARDS, "NoGo", "nogo(2x4)"),
    Entry("cannibal-clobber", _GRAPHS, "CannibalClobber", "cannibal-clobber(grid:3x4)"),
    Entry("geography", _GRAPHS, "Geography", "geography(grid:3x3@1.1)"),
    Entry("directed-geography", _GRAPHS, "DirectedGeography", "directed-geography(edges:a-b,b-c,c-a@a)"),
    Entry("colouring", _GRAPHS, "Colouring", "colouring{2}(grid:2x3)"),
    Entry("hackenbush", "labs.bitboards.hackenbush", "Hackenbush", "hackenbush(0-1,1-2,1-3)"),
    Entry("northcott", "labs.bitboards.northcott", "Northcott", "northcott(x...o./.x..o.)"),
    Entry("poker-nim", "labs.bitboards.northcott", "PokerNim", "poker-nim(3,4,5)"),
    Entry("sprouts", "labs.bitboards.sprouts", "Sprouts", "sprouts(3)"),
)
