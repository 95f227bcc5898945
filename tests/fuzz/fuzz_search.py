"""Random small positions of every game that ``search`` takes: its answers, by the definition and by the whole graph.

``python -m tests.fuzz.fuzz_search 2000 [GAME ...] --from 0`` tries so many of each game, and of sums of two; a failure
names its seed. Forty come from one start each: random rules, a random board, and random moves from there.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from functools import reduce
from operator import xor
from pathlib import Path
from time import process_time
from traceback import print_exc

from graphgame import Search, explore, mex, parse_position, solve
from graphgame.errors import LimitError, ParameterError, ParseError
from graphgame.games import CATALOGUE
from graphgame.labs.bitboards.placement import MaskRuleset
from graphgame.labs.search import board_search as boards
from graphgame.labs.search.nimber_search import MEMORY
from graphgame.rules.checking import Unsized
from graphgame.rules.position import Position
from graphgame.rules.ruleset import parts_of
from graphgame.solution.results import Decisive, outcome_of

_A_START = 40
_TRIES = 50
_WITHOUT_THEOREMS = 0.4
_USUAL = boards._PLAIN_POSITIONS, boards._FIRST_SLOTS, boards._SINGLE_THREAD_POSITIONS, boards._CALL_SECONDS
_HURRIED = 1, 64, 0, 1e-4
_MOST_STATES = 4000
"""Sums of positions that are looked at to tell who wins one under misère play."""


def _heaps(most, count=3, least=0):
    return lambda chance: ",".join(str(chance.randint(least, most)) for _ in range(chance.randint(1, count)))


def _heap(most, least=0):
    return lambda chance: str(chance.randint(least, most))


def _rows(marks, rows=(1, 3), columns=(1, 4)):
    def text(chance):
        width = chance.randint(*columns)
        return "/".join("".join(chance.choices(marks, k=width)) for _ in range(chance.randint(*rows)))

    return text


def _sides(most, rows=3):
    return lambda chance: f"{chance.randint(1, rows)}x{chance.randint(1, most)}"


def _distinct(first):
    return lambda chance: ",".join(map(str, sorted(chance.sample(range(first, first + 9), chance.randint(1, 4)))))


def _graph(chance, vertices=10):
    """Return the edges of a random graph, and its vertices, some of them without one."""
    names, often = "abcdefghij"[: chance.randint(4, vertices)], chance.uniform(0.1, 0.5)
    edges = [f"{a}-{b}" for a in names for b in names if a < b and chance.random() < often]
    return "edges:" + ",".join([*edges, *names])


def _token_on(chance):
    return f"{_graph(chance, 8)}@a"


def _hackenbush(chance):
    tree = [f"{chance.randrange(place)}-{place}" for place in range(1, chance.randint(2, 8))]
    return ",".join([*tree, *(f"0-{chance.randint(0, len(tree))}" for _ in range(chance.randint(0, 2)))])


def _set(chance):
    return ",".join(map(str, sorted(chance.sample(range(1, 8), chance.randint(1, 4)))))


def _turned(chance):
    return chance.choice(("1,2", "1..3", "2..3 within 4", "3 spaced", "any adjacent", "any symmetric", "1..2 adjacent"))


def _code(chance):
    return f"{chance.choice('04')}." + "".join(chance.choices("01234567", k=chance.randint(1, 3))) + "3"


_COINS = _rows("th", (1, 1), (1, 8))
_SHEET = _rows("th", (1, 2), (2, 4))

STARTS = {
    **dict.fromkeys(("nim", "lasker", "staircase", "nimble"), _heaps(5)),
    **dict.fromkeys(("bash", "take", "octal", "code", "split"), _heap(16)),
    **dict.fromkeys(("kayles", "dawson-kayles", "dawson-chess", "officers", "guiles", "grundy", "couples"), _heap(17)),
    **dict.fromkeys(("georgia",), _distinct(1)),
    **dict.fromkeys(("silver-dollar",), _distinct(0)),
    **dict.fromkeys(("cutting", "chocolate"), _sides(5)),
    **dict.fromkeys(("sympler", "sym", "coins"), _COINS),
    **dict.fromkeys(("tartan", "turning-corners", "rugs", "acrostic", "acrostic-twins"), _SHEET),
    **dict.fromkeys(("node-kayles", "arc-kayles", "cannibal-clobber"), _graph),
    **dict.fromkeys(("geography", "directed-geography"), _token_on),
    "whiteboard": _heap(20, 1),
    "mixed": _heaps(6, 4, 1),
    "moore": _heaps(4),
    "wythoff": lambda chance: f"{chance.randint(0, 6)},{chance.randint(0, 6)}",
    "euclid": lambda chance: f"{chance.randint(0, 19)},{chance.randint(1, 19)}",
    "fibonacci": _heap(16, 1),
    "take-away": lambda chance: f"{chance.randint(1, 13)}:{chance.randint(1, 3)}",
    "mem": lambda chance: f"{chance.randint(1, 13)}:{chance.randint(1, 3)}",
    "treblecross": _heap(14, 1),
    "chomp": lambda chance: ",".join(map(str, sorted((chance.randint(1, 6) for _ in range(4)), reverse=True))),
    "bitter-chocolate": lambda chance: f"3x4@{chance.randint(1, 3)},{chance.randint(1, 4)}",
    "cram": _rows(".....#", (2, 4), (3, 5)),
    "nogo": _rows("....xo#", (1, 2), (2, 5)),
    "clobber": _rows("xxxooo.", (1, 3), (3, 4)),
    "amazons": _rows("....Q#", (2, 3), (2, 4)),
    "notakto": _rows("...X", (3, 3), (3, 3)),
    "colouring": lambda chance: _graph(chance, 5),
    "hackenbush": _hackenbush,
    "sprouts": lambda chance: str(chance.choice((1, 2, 3, 3, 3, 4))),
}
"""How the text of a random position of each game is made, by default a row of coins."""

ARGUMENTS = {
    "bash": lambda chance: str(chance.randint(1, 5)),
    "whiteboard": lambda chance: str(chance.randint(1, 5)),
    "moore": lambda chance: str(chance.randint(1, 3)),
    "colouring": lambda chance: str(chance.randint(1, 3)),
    "take": _set,
    "take-away": lambda chance: f"a <= {chance.randint(1, 3)}k",
    "split": lambda chance: chance.choice(("2..3", "unequal", "2..3 unequal", "2..3 not all equal", "2..3 equal")),
    "octal": _code,
    "code": _code,
    "coins": _turned,
    "tartan": lambda chance: f"{chance.choice(('twins', 'ruler'))} x {chance.choice(('mock-turtles', 'triplets'))}",
    "acrostic": lambda chance: f"{chance.choice(('twins', 'turning-turtles'))} x ruler",
}

GAMES = [name for name, entry in CATALOGUE.items() if not parse_position(entry.example).components[0].ruleset.loopy]

SEVERAL = "sums"


def start_text(name, chance):
    arguments = f"{{{ARGUMENTS[name](chance)}}}" if name in ARGUMENTS else ""
    return f"{name}{arguments}({STARTS.get(name, _COINS)(chance)})"


class Truth:
    """Values, and who wins sums under misère play, by their definitions; a part is its game and its position."""

    def __init__(self, components):
        self.rules = {each.game: each for each in components}
        self.starts = [(each.game, each.position) for each in components]
        self._options, self._values, self._wins = {}, {}, {}

    def options(self, part):
        if part not in self._options:
            game, position = part
            rules = self.rules[game].ruleset
            options = () if rules.decided(position) else rules.options(position)
            self._options[part] = [[(game, left) for left in parts_of(option)] for option in options]
        return self._options[part]

    def value(self, part):
        if part not in self._values:
            game, position = part
            decided = self.rules[game].ruleset.decided(position)
            values = set(map(self.value_of, self.options(part)))
            if decided:
                self._values[part] = Decisive.SUNNY if decided == "P" else Decisive.LOONY
            else:
                won = Decisive.SUNNY in values
                self._values[part] = Decisive.LOONY if won else mex(values - {Decisive.LOONY})
        return self._values[part]

    def value_of(self, parts):
        return reduce(xor, map(self.value, parts), 0)

    def wins_misere(self, parts):
        """Tell whether the player to move wins a sum; None where that takes long, or where a move can end play."""
        if any(self.rules[game].ruleset.decides for game, _ in parts):
            return None
        begun = len(self._wins)

        def wins(state):
            if state not in self._wins:
                if len(self._wins) - begun > _MOST_STATES:
                    raise LimitError("many")
                ends = [
                    Counter(dict(state)) - Counter([part]) + Counter(option)
                    for part, _ in state
                    for option in self.options(part)
                ]
                self._wins[state] = not ends or not all(wins(frozenset(end.items())) for end in ends)
            return self._wins[state]

        try:
            return wins(frozenset(Counter(parts).items()))
        except LimitError:
            return None

    def played(self, chance):
        """Return what a few random moves lead to."""
        parts = list(self.starts)
        for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 4))):
            moves = [(place, option) for place, part in enumerate(parts) for option in self.options(part)]
            if not moves:
                break
            place, option = chance.choice(moves)
            parts[place : place + 1] = option
        return parts

    def position(self, parts, **play):
        return Position([self.rules[game]._replace(position=position) for game, position in parts], **play)


def random_start(name, chance):
    """Return the truth about a random position of a game, or of several; at times without theorems and texts."""
    plain = chance.random() < _WITHOUT_THEOREMS
    for _ in range(_TRIES):
        texts = [start_text(each, chance) for each in (chance.sample(GAMES, 2) if name == SEVERAL else [name])]
        with suppress(ParseError):  # as where a block of NoGo has no liberty
            found = [each for text in texts for each in parse_position(text).components]
            return Truth([each._replace(ruleset=Unsized(each.ruleset)) for each in found] if plain else found)
    raise AssertionError(f"no text of {name} is read")


def check_graph(truth):
    """Compare the values of the whole graph of each game with the definition."""
    for game, component in truth.rules.items():
        starts = [position for other, position in truth.starts if other == game]
        for position, value in solve(explore(component.ruleset, *starts), tokens=()).grundy.items():
            expected = truth.value_of([(game, part) for part in parts_of(position)])
            assert value == expected, f"{component.name}, {position}: {value} in the graph, {expected} by definition"


def check_search(truth, parts, chance, folder):
    """Ask searches for the value and both outcomes, at times one that is stopped and goes on, or for a certificate."""
    position, value = truth.position(parts), truth.value_of(parts)
    expected = {"value": value, "outcome": outcome_of(value)}
    found = {"outcome": Search(position).outcome, "value": _searched(position, chance, folder)}
    if (wins := truth.wins_misere(parts)) is not None:
        expected["misere"] = "N" if wins else "P"
        found["misere"] = Search(truth.position(parts, misere=True)).outcome
    assert found == expected, f"{position}: {found}, by definition {expected}"
    return wins is not None


def _searched(position, chance, folder):
    """Return a value; in one of four cases of a search that was stopped, or whose certificate holds."""
    plain = any(isinstance(each.ruleset, Unsized) for each in position.components)
    how, table = chance.randrange(2 if plain else 0, 8), folder / "table.txt"
    on_cells = all(isinstance(each.ruleset, MaskRuleset) for each in position.components)
    memory = chance.choice((3000, MEMORY)) if on_cells else MEMORY
    search = Search(position, max_positions=chance.randint(1, 20) if how == 0 else None, memory=memory, jobs=3)
    try:
        value = search.grundy
    except LimitError:
        again = Search(position)
        with suppress(ParameterError):  # there is no table of several games
            search.write_table(table)
            again.read_table(table)
        return again.grundy
    if how == 1:
        fault = search.certificate(value=chance.random() < 0.5).fault(position)
        assert fault is None, f"{position}: {fault}"
    return value


def hurry(chance):
    """Let a search on sets of cells compile at once, begin with little room, and have three threads, or none of it."""
    boards._PLAIN_POSITIONS, boards._FIRST_SLOTS, boards._SINGLE_THREAD_POSITIONS, boards._CALL_SECONDS = chance.choice(
        (_HURRIED, _USUAL)
    )


def try_game(name, count, seed=0, a_start=_A_START):
    """Check so many positions of a game; return how many were asked for under misère play too."""
    misere = 0
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, count, a_start):
            chance = random.Random(f"{name} {seed + first}")
            truth = random_start(name, chance)
            try:
                check_graph(truth)
                hurry(chance)
                for _ in range(min(a_start, count - first)):
                    misere += check_search(truth, truth.played(chance), chance, Path(folder))
            except Exception as error:
                error.add_note(f"{name}, seed {seed + first}")
                raise
            finally:
                boards._PLAIN_POSITIONS, boards._FIRST_SLOTS, boards._SINGLE_THREAD_POSITIONS, boards._CALL_SECONDS = (
                    _USUAL
                )
    return misere


def main():
    """Try the games, and say what each took."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.fuzz_search", description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("games", nargs="*", default=[*GAMES, SEVERAL], metavar="GAME")
    parser.add_argument("--from", type=int, default=0, dest="first")
    given, wrong = parser.parse_args(), 0
    for name in given.games:
        begun = process_time()
        try:
            misere = try_game(name, given.count, given.first)
        except Exception:
            wrong += 1
            print_exc()
            continue
        took = process_time() - begun
        print(f"{name:20}{given.count:6} right, {misere} of them misere too; {took:.1f} s", flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
