"""Games on boards and graphs, as entries of the catalogue."""

from __future__ import annotations

from graphgame.rules.entry import Entry

GAMES = (
    Entry("chomp", "labs.bitboards.chomp", "Chomp", "chomp(3x4)"),
    Entry("cram", "labs.bitboards.region_boards", "Cram", "cram(4x5)"),
    Entry("amazons", "labs.bitboards.amazons", "Amazons", "amazons(Q../.../..Q)"),
    Entry("notakto", "labs.bitboards.notakto", "Notakto", "notakto(.X./.../..X)"),
    Entry("node-kayles", "labs.bitboards.graph_kayles", "NodeKayles", "node-kayles(grid:4x5)"),
    Entry("arc-kayles", "labs.bitboards.graph_kayles", "ArcKayles", "arc-kayles(edges:a-b,b-c,c-d)"),
    Entry("clobber", "labs.bitboards.region_boards", "Clobber", "clobber(3x4)"),
    Entry("nogo", "labs.bitboards.region_boards", "NoGo", "nogo(2x4)"),
    Entry("cannibal-clobber", "labs.bitboards.graph_kayles", "CannibalClobber", "cannibal-clobber(grid:3x4)"),
    Entry("geography", "labs.bitboards.geography", "Geography", "geography(grid:3x3@1.1)"),
    Entry(
        "directed-geography", "labs.bitboards.geography", "DirectedGeography", "directed-geography(edges:a-b,b-c,c-a@a)"
    ),
    Entry("colouring", "labs.bitboards.colouring", "Colouring", "colouring{2}(grid:2x3)"),
    Entry("sprouts", "labs.bitboards.sprouts", "Sprouts", "sprouts(3)"),
)
