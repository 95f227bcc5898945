"""One-heap games of taking and breaking: long sequences of values, and periods with proof."""

from graphgame.heaps.games import NAMED, HeapGame, code, game, grundy_game, lasker, octal, rule, subtraction
from graphgame.heaps.periods import PeriodCertificate

__all__ = [
    "NAMED",
    "HeapGame",
    "PeriodCertificate",
    "code",
    "game",
    "grundy_game",
    "lasker",
    "octal",
    "rule",
    "subtraction",
]
