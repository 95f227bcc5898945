"""Tables of values by the numbers that positions consist of: what laws are found from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import chain, islice, product
from math import log2
from operator import xor

import numpy as np

from graphgame.errors import LimitError, Message, OptionError
from graphgame.labs.heaps.heapgame import HeapGame
from graphgame.labs.heaps.periods import PeriodCertificate
from graphgame.labs.laws.declared_options import (
    Cells,
    differing_by_statements,
    differing_turn,
    misere_values,
    moves_of_text,
    whole_cells,
)
from graphgame.labs.laws.law import extent_text
from graphgame.labs.laws.law_likeness import code_alike, moves_alike
from graphgame.labs.laws.law_texts import (
    cells_of,
    free_moves,
    heap_game,
    names_in,
    parameters_in,
    with_names,
    with_numbers,
)
from graphgame.labs.laws.statements import binary_set
from graphgame.labs.laws.tables import declared_ends, declared_values
from graphgame.labs.misere.checking import find_fault_among
from graphgame.labs.misere.quotient import MisereQuotient
from graphgame.labs.misere.solver import heap_quotient
from graphgame.rules.declared import DeclaredMoves, DeclaredTurns
from graphgame.rules.exploration import explore
from graphgame.rules.notation import parse_position
from graphgame.rules.position import Position
from graphgame.rules.ruleset import Ruleset, Sum
from graphgame.rules.user_rules import rules_run
from graphgame.solution.results import Play, refuse_misere_end
from graphgame.solution.solve import solution_of

_SIZES = {1: 512, 2: 90, 3: 18, 4: 9}
"""Number of names -> how many numbers of each are looked at, if the graph is not too large."""

_FAR_SIZES = {1: 4096, 2: 200, 3: 32, 4: 12}
"""The same where no graph is needed."""

_MISERE_SIZES = {1: 512, 2: 40, 3: 12, 4: 7}
"""The same under misère play, from the graph."""

_TRIED_ABOVE = 2
_FIRST_SIZES = {1: 4, 2: 4, 3: 4, 4: 3}
LAW_POSITIONS = 20_000
_PROVING_HEAPS, _SLOWLY_PROVING = 20_000, 2_000
"""The largest heap for the proof of a period; and where values take a new start, and the square of the heaps."""

_MOST_PAIRS = 4_100_000
_COINS, _FAR_COINS = 10, 64
_QUOTIENT_HEAPS, _MOST_ELEMENTS, _MOST_OUTCOMES = 64, 200, 500_000
"""Heaps of a first misère quotient, and how large quotients may get."""


@dataclass(frozen=True)
class LawTable:
    """The values of a game's positions by the numbers that they consist of.

    Attributes
    ----------
    text : str
        The position in the notation, with names in place of numbers.
    names : tuple of str
    values : ndarray of int64
        An axis for each name; -1 where the numbers are no position, or a loony one.
    moves : DeclaredMoves or None
        The moves as statements, where the rules declare them.
    certificate : PeriodCertificate or None
        Of a game of one heap whose period is proved.
    play : {"normal", "misere"}
    turns : DeclaredTurns or None
        Where the one number is the place of a single head in a row of coins: which coins its rules turn together.
    supposed : str
        What the moves, or the period, are those of, where the rules do not say so: the options of the positions looked
        at are.
    quotient : MisereQuotient or None
        Of heaps that split, under misère play. They have outcomes alone: the value is 0 of P-positions, 1 of others.
    run_rules : bool
        Whether the Python file that the text names may be run again.
    """

    text: str
    names: tuple[str, ...]
    values: np.ndarray
    moves: DeclaredMoves | None
    certificate: PeriodCertificate | None
    play: Play = "normal"
    turns: DeclaredTurns | None = None
    supposed: str = ""
    quotient: MisereQuotient | None = None
    run_rules: bool = False

    @property
    def extent(self) -> str:
        """How many positions there are, and how far they go."""
        return extent_text(int((self.values >= 0).sum()), self.values.shape)

    def option_values(self, numbers: tuple[int, ...]) -> set[int]:
        """Return the values of the options of a position in the table."""
        if self.moves is not None and len(self.moves.names) == len(self.names) and not self.moves.followed:
            return set(self.values[declared_ends(self.moves, self.values.shape, numbers)].tolist())
        position = parse_position(with_numbers(self.text, self.names, numbers), run_rules=self.run_rules)
        if self.quotient is not None:
            heaps = position.components
            left = (
                (*(end if isinstance(end, Sum) else (end,)), *(other.position for other in heaps if other is not heap))
                for heap in heaps
                for end in heap.ruleset.options(heap.position)
            )
            return {int(self.quotient.outcome(*sum_) == "N") for sum_ in left}
        solution, values = solution_of(position.graph()), position.values
        return {
            int(self.values[numbers]) ^ values[place] ^ int(option.grundy)
            for place, token in enumerate(solution.tokens or ())
            for option in solution.options(token)
        }


def law_table(
    text: str,
    *,
    size: int | None = None,
    play: Play = "normal",
    max_positions: int = LAW_POSITIONS,
    run_rules: bool = False,
) -> LawTable:
    """Return the values of the positions that a text stands for: from the graph, a theorem, or moves that are declared.

    Parameters
    ----------
    text : str
        A position with names of one letter in place of numbers, the name of a game, or moves as statements between
        semicolons.
    size : int, optional
        How many numbers 0, 1, ... each name stands for.
    play : {"normal", "misere"}
    max_positions : int
        Most positions of the explicit graph.
    run_rules : bool
        Whether to run the Python file that a text names: see :func:`parse_position`.

    Examples
    --------
    >>> law_table("wythoff(a,b)", size=3).values.tolist()
    [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    >>> law_table("n' < n; n' = n - 2", size=4).values.tolist()
    [0, 1, 2, 3]
    """
    with rules_run(run_rules):
        return replace(_law_table(text, size, play, max_positions), run_rules=run_rules)


def _law_table(text: str, size: int | None, play: Play, max_positions: int) -> LawTable:
    if "'" in text:
        return _of_statements(text, size, play)
    text = with_names(text)
    names = names_in(text)
    by_graph = size is not None and size ** len(names) <= max_positions
    most = size if size is not None and by_graph else _SIZES[len(names)]
    of_rules = parameters_in(text)
    coins = None if of_rules else _coins_of(text, names)
    if coins is not None and play == "normal":
        return _of_coins(text, names, coins, size or most, size is not None)
    count = most if by_graph else min(_FIRST_SIZES[len(names)], most)
    found, cells, vertices = _table(text, names, count, max_positions)
    refuse_misere_end(play, any(part.ruleset.decides for cell in cells.values() for part in cell))
    growth = 1.0
    # A graph that goes far beyond the limit is not begun: that would take longer than all before.
    while count < most and vertices * growth ** log2(min(2, most / count)) <= _TRIED_ABOVE * max_positions:
        count, before = min(2 * count, most), vertices
        try:
            found, cells, vertices = _table(text, names, count, max_positions)
        except LimitError:
            break
        growth = vertices / max(before, 1)
    heaps = None if of_rules else heap_game(cells)
    game = heaps if len(names) == 1 else None
    found = replace(found, certificate=None if game is None else _period(game))
    if found.moves is not None:
        _compare_moves(found, whole_cells(found.moves, cells))
    wanted = _FAR_SIZES[len(names)] if size is None else size
    if found.certificate is None and found.moves is None and not of_rules:
        found = _with_likeness(found, cells)
    if (
        play == "misere"
        and not of_rules
        and (splitting := heaps or code_alike(cells)) is not None
        and splitting.rules.parts > 1
    ):
        return _of_quotient(found, cells, splitting, size, max_positions)
    if play == "misere" and (of_rules or found.supposed or found.moves is None or found.moves.starts):
        return _misere(found, cells, size or min(_MISERE_SIZES[len(names)], len(found.values)), max_positions)
    if play == "normal" and wanted <= len(found.values):
        return found
    return _larger(found, cells, wanted, size is not None or play == "misere", play)


def _coins_of(text: str, names: tuple[str, ...]) -> Ruleset | None:
    """Return the rules where a text names a single head in a row of coins, whose turns are declared."""
    if len(names) > 1:
        return None
    (cell,) = cells_of(text, names, [(3,)]).values() or ((),)
    rules = cell[0].ruleset if len(cell) == 1 else None
    return rules if rules is not None and rules.declared_turns() is not None and cell[0].position == "tth" else None


def _of_coins(text: str, names: tuple[str, ...], rules: Ruleset, most: int, needed: bool) -> LawTable:
    """Return the values of single heads by those of the heads before them, as far as their graph agrees."""
    small, *_ = _table(text, names, min(_COINS, most), LAW_POSITIONS)
    count = most if needed else _FAR_COINS
    cells = cells_of(text, names, ((place,) for place in range(count)))
    if needed and (longest := next(reversed(cells))[0]) < count - 1:
        raise LimitError(
            "{text} to a size of {count:,}: rows have at most {longest:,} coins", text, count, longest, limit="size"
        )
    values = np.full(count, -1, np.int64)
    for (place,), (cell,) in cells.items():
        values[place] = int(rules.closed_form(cell.position) or 0)  # type: ignore[arg-type]
    if (values[: len(small.values)] != small.values[:count]).any():
        raise OptionError("the values of {text} by its rule are not those of its graph", text)
    turns = rules.declared_turns()
    assert turns is not None
    runs = [("a", turns.runs)] if turns.runs else []
    reader = {each: binary_set(each[1], *each[0], "n") for each in (*turns.sets, *runs)}
    differing = differing_turn(rules, turns, lambda sets, given: bool(reader[sets].contains(**given)))
    if differing is not None:
        raise OptionError("the declared turns of {text} are not its options at {differing}", text, differing)
    return LawTable(text, names, values, None, None, "normal", turns)


def _with_likeness(found: LawTable, cells: Cells) -> LawTable:
    """Return the table with the moves that its options are, as far as it goes."""
    moves = moves_alike(found.names, cells)
    code = code_alike(cells)
    if moves is not None:
        alike = replace(found, moves=moves, supposed="; ".join(moves.moves))
        try:
            _compare_moves(alike, cells)
            found = alike
        except (LimitError, OptionError):
            pass
    if code is None:
        return found
    if (code.grundy_values(len(found.values) - 1) != found.values).any():
        return found
    return replace(found, certificate=_period(code), supposed=code.name)


def _misere(found: LawTable, cells: Cells, size: int, max_positions: int) -> LawTable:
    """Return the values under misère play, from the graph."""
    if size > len(found.values):
        text = Message(
            "{text} to a size of {size:,}, misère play: its rules do not declare their moves", found.text, size
        )
        raise LimitError(text, limit="size")
    cells = {numbers: cell for numbers, cell in cells.items() if max(numbers) < size}
    values = np.full((size,) * len(found.names), -1, np.int64)
    for numbers, value in misere_values(cells, max_positions).items():
        values[numbers] = value
    return replace(found, values=values, play="misere", certificate=None)


def _of_quotient(found: LawTable, cells: Cells, game: HeapGame, size: int | None, most: int) -> LawTable:
    """Return the outcomes of heaps, or of sums of them, under misère play, by a misère quotient.

    Raises
    ------
    LimitError
        No period is proved, and the quotients of so many heaps as are asked for are too large; or the heaps have moves
        that are not those of the game that they were recognised as.
    """
    quotient, rules, supposed = _quotient_of(game, most), next(reversed(cells.values()))[0].ruleset, ""
    known = len(quotient.labels) if quotient.period is None else size or _SIZES[1]
    if rules is not game:  # a program's moves: the quotient is tried with those of the heaps that were looked at
        supposed, known = game.name, min(known, len(cells))
        if find_fault_among(quotient, explore(rules, *range(known), max_positions=most)) is not None:
            raise LimitError(
                "{text} to a size of {known}: not all moves are those of {supposed}",
                found.text,
                known,
                supposed,
                limit="size",
            )
    if size is not None and size > known:
        reason = (
            (supposed and Message("further moves are not known"))
            or quotient.stopped
            or Message("more need more --max-positions")
        )
        text = Message(
            "{text} to a size of {size:,}: a misère quotient of {known:,} heaps is known: {reason}",
            found.text,
            size,
            known,
            reason,
        )
        raise LimitError(text, limit="size")
    several = len(found.names) - 1
    count = size or (min(known, len(found.values)) if several else known)
    if several and count ** len(found.names) > _MOST_PAIRS:
        raise LimitError(
            "a table of {entries:,} entries is larger than the limit, {most:,}",
            count ** len(found.names),
            _MOST_PAIRS,
            limit="size",
        )
    elements = whole = np.array([quotient.element(heap) for heap in range(count)], np.int64)
    for _ in range(several):
        whole = quotient.table[whole[..., None], elements]
    values = np.where(quotient.lost[whole], 0, 1)
    certificate = quotient.period
    if certificate is not None and not several:
        outcomes = tuple(int(not quotient.lost[element]) for element in certificate.values)
        certificate = replace(certificate, values=outcomes)
    found = replace(found, values=values, moves=None, certificate=certificate, play="misere")
    return replace(found, quotient=quotient, supposed=supposed)


def _quotient_of(game: HeapGame, max_positions: int) -> MisereQuotient:
    """Return the misère quotient of so many heaps that its period is proved, or of as many as limits allow."""
    find = partial(
        heap_quotient, game, max_positions=max_positions, max_order=_MOST_ELEMENTS, max_outcomes=_MOST_OUTCOMES
    )
    heaps = _QUOTIENT_HEAPS
    quotient = find(heaps)
    while quotient.complete and quotient.period is None and game.rules.theorem is not None:
        heaps *= 2
        try:
            quotient = find(heaps)
        except LimitError:
            break
    return quotient


def _larger(found: LawTable, cells: Cells, wanted: int, needed: bool, play: Play) -> LawTable:
    """Return a larger table, made without the graph; what was found where that cannot be, and is not needed."""
    numbers, first = next(reversed(cells.items()))
    alone = len(first) == 1 and first[0].position == numbers and wanted**2 <= _MOST_PAIRS
    pairs = first[0].ruleset.value_array((wanted, wanted), play == "misere") if alone and len(numbers) == 2 else None
    try:
        if pairs is not None:
            values = pairs.astype(np.int64)
        elif play == "normal" and needed and found.certificate is not None and not found.supposed:
            values = found.certificate.values_to(wanted - 1).astype(np.int64)
        elif play == "normal" and len(found.names) == 1 == len(first) and isinstance(first[0].ruleset, HeapGame):
            values = first[0].ruleset.grundy_values(wanted - 1).astype(np.int64) if needed else found.values
        elif found.moves is not None and not found.moves.starts and not found.supposed:
            values = declared_values(found.moves, wanted, misere=play == "misere")
        else:
            reason = Message("only the graph knows its values: a larger --max-positions may help, or declared moves")
            raise LimitError("{text} to a size of {wanted:,}: {reason}", found.text, wanted, reason, limit="size")
    except LimitError:
        if needed:
            raise
        return found
    corner = values[tuple(map(slice, found.values.shape))]
    if play == "normal" and ((corner != found.values) & (corner >= 0) & (found.values >= 0)).any():
        raise OptionError("the values of {text} by its declared moves are not those of its graph", found.text)
    if not needed and (values >= 0).sum() < (found.values >= 0).sum():
        return found
    certificate = found.certificate if play == "normal" else None
    return replace(found, values=values, play=play, certificate=certificate)


def _of_statements(text: str, size: int | None, play: Play) -> LawTable:
    moves = moves_of_text(text)
    far, usual = _FAR_SIZES[len(moves.names)], _SIZES[len(moves.names)]
    smaller = (usual * part // 4 for part in (3, 2, 1))
    for wanted in (far, usual, *smaller) if size is None else (size,):
        try:
            values = declared_values(moves, wanted, misere=play == "misere")
            break
        except LimitError as error:
            refused = error
    else:
        raise refused
    return LawTable(text, moves.names, values, moves, None, play)


def _table(text: str, names: tuple[str, ...], count: int, max_positions: int) -> tuple[LawTable, Cells, int]:
    """Return the table of so many numbers, the positions, and how many vertices their graph has."""
    if (entries := count ** len(names)) > max_positions:
        text = Message(
            "a table of {entries:,} entries is larger than the limit, max_positions={max_positions}",
            entries,
            max_positions,
        )
        raise LimitError(text, limit="max_positions")
    cells = cells_of(text, names, product(range(count), repeat=len(names)))
    whole = Position(chain.from_iterable(cells.values()), max_positions)
    parts = iter(whole.values)
    values = np.full((count,) * len(names), -1, np.int64)
    for numbers, cell in cells.items():
        value = reduce(xor, islice(parts, len(cell)), 0)
        values[numbers] = value if isinstance(value, int) else -1  # a loony position has no value
    components = next(reversed(cells.values()))
    return LawTable(text, names, values, free_moves(text, components), None), cells, len(whole.open_solution.graph)


def _period(game: HeapGame) -> PeriodCertificate | None:
    return game.period(_PROVING_HEAPS if game.rules.reuses_values else _SLOWLY_PROVING)


def _compare_moves(seen: LawTable, cells: Cells) -> None:
    """Refuse declared moves that are not the options, as far as that shows in small positions."""
    assert seen.moves is not None
    differing = differing_by_statements(seen.moves, cells)[0]
    if differing is not None:
        raise OptionError("the declared moves of {text} are not its options at {differing}", seen.text, differing)
