"""Taking-and-breaking games on one heap: long sequences of values, and proved periods."""

from typing import TYPE_CHECKING

from graphgame.registry import lazy_names, register

if TYPE_CHECKING:
    from graphgame.labs.heaps import study as study
    from graphgame.labs.heaps.games import NAMED as NAMED
    from graphgame.labs.heaps.games import code as code
    from graphgame.labs.heaps.games import couples as couples
    from graphgame.labs.heaps.games import game as game
    from graphgame.labs.heaps.games import grundy_game as grundy_game
    from graphgame.labs.heaps.games import lasker as lasker
    from graphgame.labs.heaps.games import octal as octal
    from graphgame.labs.heaps.games import rule as rule
    from graphgame.labs.heaps.games import split as split
    from graphgame.labs.heaps.games import subtraction as subtraction
    from graphgame.labs.heaps.heapgame import HeapGame as HeapGame
    from graphgame.labs.heaps.periods import ObservedPeriod as ObservedPeriod
    from graphgame.labs.heaps.periods import PeriodCertificate as PeriodCertificate

register("command", "heap", "labs.heaps.cli:command", "Print the values of a one-heap game, or prove their period.")
register("games", "heaps", "labs.heaps.catalogue:GAMES")
register("check", "graphgame heap period", "labs.heaps.cli:check_period_file")

_PUBLIC = {
    "games": "NAMED code couples game grundy_game lasker octal rule split subtraction",
    "heapgame": "HeapGame",
    "periods": "ObservedPeriod PeriodCertificate",
}
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
__getattr__, __dir__ = lazy_names(__name__, _PUBLIC, "study")
