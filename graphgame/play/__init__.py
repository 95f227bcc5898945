"""Playing: a match move by move, the computer as a player, records, and the dialogue at a terminal."""

from graphgame.play.match import Adviser, Computer, Match, Verdict, adviser
from graphgame.play.moves import find_move, legal_moves, move_text
from graphgame.play.record import Record, read_record, record_of, replay, write_record
from graphgame.registry import dir_of

__all__ = [
    "Adviser",
    "Computer",
    "Match",
    "Record",
    "Verdict",
    "adviser",
    "find_move",
    "legal_moves",
    "move_text",
    "read_record",
    "record_of",
    "replay",
    "write_record",
]
__dir__ = dir_of(__name__)
