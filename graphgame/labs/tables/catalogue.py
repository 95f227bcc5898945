"""Games of several numbers, as entries of the catalogue."""

from __future__ import annotations

from graphgame.rules.entry import Entry

GAMES = (
    Entry("moore", "labs.tables.moore", "Moore", "moore{2}(3,4,5)"),
    Entry("wythoff", "labs.tables.wythoff", "Wythoff", "wythoff(3,5)"),
)
