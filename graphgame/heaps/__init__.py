"""One-heap games of taking and breaking: long sequences of values, and periods with proof."""

from graphgame.heaps.certificates import PeriodCertificate
from graphgame.heaps.games import (
    NAMED,
    code,
    couples,
    game,
    grundy_game,
    lasker,
    octal,
    rule,
    split,
    subtraction,
)
from graphgame.heaps.heapgame import HeapGame
from graphgame.heaps.periods import ObservedPeriod

__all__ = [
    "NAMED",
    "HeapGame",
    "ObservedPeriod",
    "PeriodCertificate",
    "code",
    "couples",
    "game",
    "grundy_game",
    "lasker",
    "octal",
    "rule",
    "split",
    "subtraction",
]
