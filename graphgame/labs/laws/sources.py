"""The sources of laws: texts of positions with names in place of numbers, and tables of their values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial, reduce
from itertools import chain, islice, product
from math import log2
from operator import xor
from typing import NamedTuple

import numpy as np

from graphgame.errors import LimitError, Message, ParameterError, ParseError, RulesetError, checks_parameters, plural
from graphgame.graph import SUNNY
from graphgame.labs.heaps.heapgame import HeapGame
from graphgame.labs.heaps.periods import PeriodCertificate
from graphgame.labs.laws.declared_moves import (
    MOST_ENTRIES,
    Cells,
    declared_ends,
    declared_values,
    differing_by_statements,
    differing_turn,
    leads_out,
    listed_options,
    misere_solution,
    moves_of_text,
    refuse_large,
    side_by_side,
    turns_of,
    whole_cells,
)
from graphgame.labs.laws.formulas import Formula, numbers_text
from graphgame.labs.laws.guessed_moves import code_alike, moves_alike
from graphgame.labs.misere.checking import find_fault_among
from graphgame.labs.misere.heap_quotients import heap_quotient
from graphgame.labs.misere.quotient import MisereQuotient
from graphgame.labs.shared_rules import number_names
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.declared import DeclaredMoves, DeclaredTurns
from graphgame.rules.exploration import explore
from graphgame.rules.notation import of_code, parse_position
from graphgame.rules.position import Position
from graphgame.rules.rule_errors import returned_array, rule_errors
from graphgame.rules.ruleset import Component, Ruleset, Sum, decision, parts_of
from graphgame.rules.user_rules import rules_run
from graphgame.solution.results import Decisive, refuse_misere_end
from graphgame.solution.solve import solution_of

_MOST_NAMES = 4
_NAME = re.compile(r"(?<![0-9A-Za-wyz_])[a-wyz](?![0-9A-Za-wyz_])")
_BRACES = re.compile(r"\{[^{}]*\}")
_PARAMETER = re.compile(r"(?:(?<=[{,])|(?<=\.\.))\s*([a-wyz])\s*(?=[,}]|\.\.)")
"""A letter in braces in place of a number: alone between commas or braces, or at an end of a range."""


def cells_of(text: str, names: tuple[str, ...], tuples: Iterable[tuple[int, ...]]) -> Cells:
    """Map each tuple of numbers to the components of its position: ``text`` with these numbers in place of ``names``.

    Leave out a tuple if this text is not a position. If no tuple gives a position, raise the last ParseError.
    """
    loaded: dict[tuple[str, str], Ruleset] = {}
    cells: Cells = {}
    refused: ParseError | None = None
    for numbers in tuples:
        try:
            cells[numbers] = parse_position(with_numbers(text, names, numbers), loaded=loaded).components
        except ParseError as error:
            refused = _of_names(error, text, names, numbers)
    if refused is not None and not cells:
        raise refused
    return cells


def _of_names(error: ParseError, text: str, names: tuple[str, ...], numbers: tuple[int, ...]) -> ParseError:
    """Turn an error about the text with numbers into an error about the text with names, which the user wrote.

    Return the error itself if it points at no column, or is about another text.
    """
    # The error points at a column of the text with numbers. Up to the first name, the columns of both texts are the
    # same; if the error is after it, point at the first name.
    first = min(_names(text))
    if error.text != with_numbers(text, names, numbers) or error.column is None:
        return error
    if error.column <= first:
        return ParseError(error.message, line=1, column=error.column, text=text)
    return ParseError(
        "none of the numbers tried for {names} makes this a position; with {numbers}, for example: {message}",
        ", ".join(names),
        numbers_text(names, numbers),
        error.message,
        line=1,
        column=first + 1,
        text=text,
    )


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in place of numbers, each once, in the order of the text.

    Raise a ParameterError if there are more than 4 names, or none. If there are none, and the text is not a position,
    raise the ParseError for that instead.

    >>> names_in("take{1,2}(a) + nim(b)")
    ('a', 'b')
    """
    names = tuple(dict.fromkeys(_names(text).values()))
    if not names:
        parse_position(text)  # raises a better error if the text has another fault
        raise ParameterError(
            "{source} has no letter in place of a number: expected 1 to {most} small letters, but not x, as in "
            "wythoff(a,b)",
            text,
            _MOST_NAMES,
        )
    if len(names) > _MOST_NAMES:
        raise ParameterError(
            "{source} has {count} letters in place of numbers: expected 1 to {most}, as in wythoff(a,b)",
            text,
            len(names),
            _MOST_NAMES,
        )
    return names


def parameters_in(text: str) -> tuple[str, ...]:
    """Return the names in place of numbers in the braces of a text; the names in a relation are left out.

    >>> parameters_in("bash{k}(n)"), parameters_in("take{1..k}(n)"), parameters_in("take-away{a <= 2k}(n)")
    (('k',), ('k',), ())
    """
    return tuple(dict.fromkeys(match[1] for match in _parameters(text)))


def _parameters(text: str) -> Iterator[re.Match[str]]:
    for braces in _BRACES.finditer(text):
        yield from _PARAMETER.finditer(text, *braces.span())


def with_names(text: str) -> str:
    """Complete the name of a game or a code to a position with names; return any other text unchanged.

    Raise a ParameterError if the positions of the named game do not consist only of numbers.

    >>> with_names("0.77"), with_names("0.3F"), with_names("nim")
    ('octal{0.77}(n)', 'code{0.3F}(n)', 'nim(a, b, c)')
    """
    if code := of_code(text.strip()):
        return f"{code}(n)"
    if text.strip() not in CATALOGUE:
        return text
    example = CATALOGUE[text.strip()].example
    name, _, position = example.rpartition("(")
    numbers = re.findall(r"\d+", position)
    if not re.fullmatch(r"\d+(,\d+)*\)", position):
        raise ParameterError(
            "{game}: a law needs positions that consist only of numbers, unlike {example}", text, example
        )
    return f"{name}({', '.join(number_names(len(numbers)))})"


@cache
def _names(text: str) -> dict[int, str]:
    """Return {index: letter} for the letters in a text that stand for numbers, from left to right."""
    return {match.start(): match[0] for match in _NAME.finditer(_blank(text))}


def _blank(text: str) -> str:
    """Return a text with all characters replaced by spaces, except (...) with its contents, and names in braces."""
    inside = _BRACES.sub(lambda match: " " * len(match[0]), text)
    characters = [" "] * len(inside)
    for match in _parameters(text):
        characters[match.start(1)] = match[1]
    for match in re.finditer(r"\([^()]*\)", inside):
        characters[match.start() : match.end()] = match[0]
    return "".join(characters)


def with_numbers(text: str, names: tuple[str, ...], numbers: tuple[int, ...]) -> str:
    """Return a text with each of its names replaced by a number.

    >>> with_numbers("take{1,2}(a) + nim(b)", ("a", "b"), (3, 4))
    'take{1,2}(3) + nim(4)'
    """
    number_of, names_at = dict(zip(names, map(str, numbers), strict=True)), _names(text)
    return "".join(number_of[letter] if index in names_at else letter for index, letter in enumerate(text))


def free_moves(text: str, components: tuple[Component, ...]) -> DeclaredMoves | None:
    """Return the declared moves of a position whose numbers are written as letters.

    ``components`` are the components of the position with some numbers for the letters. The result is None if the rules
    declare no moves, if a number is not a letter or is the side of a board (2x3), if two numbers have the same letter,
    or if the moves of a part of a sum have ``followed`` or ``starts``. It is also None for a sum of a position of two
    numbers and a term with two heaps: wythoff(c,d) + nim(a,b), but not wythoff(c,d) + nim(a) + nim(b). Raise a
    RulesetError if declared moves have fewer names than their component has numbers, or more names but no ``starts``.
    """
    blank = _blank(text)
    if parameters_in(text):
        return _family_moves(text, components)
    sizes = [len(re.findall(r"[a-wyz]", group)) for group in re.findall(r"\(([^()]*)\)", blank)]
    if len({*_names(text).values()}) < sum(sizes) or re.search(r"\d|x", blank):
        return None  # two numbers have one name, a number is fixed, or numbers are the sides of a board
    # (a,b) may be one component with two numbers, or two components with one number each. The number of components
    # tells which, unless a sum mixes both kinds.
    if len(sizes) != len(components):
        sizes = [1] * sum(sizes)
    if len(sizes) != len(components):
        return None
    with rule_errors(components[0].name, Message("the declared moves")):
        rules = [component.ruleset.rules_at(component.position) for component in components]
        parts = [each.declared_moves(size) for each, size in zip(rules, sizes, strict=True)]
    known = [part for part in parts if part is not None]
    for part, size in zip(parts, sizes, strict=True):
        count = len(part.names) if isinstance(part, DeclaredMoves) else 0
        if part is not None and (count < size or (count > size and not part.starts)):
            raise RulesetError(
                "declared_moves({size}) returns {result!r}: expected None, DeclaredMoves with {size} names, or "
                "DeclaredMoves with more names and with starts",
                size,
                part,
            )
    of_one = len(parts) > 1 and any(part.followed or part.starts for part in known)
    return side_by_side(known) if len(known) == len(parts) and not of_one else None


def _moves_of(text: str, cells: Cells) -> DeclaredMoves | None:
    """Return the declared moves of the positions in ``cells``; None if :func:`free_moves` finds none.

    Also return None if a position is decided or has a move that wins at once: declared moves cannot state that.
    """
    moves = free_moves(text, next(reversed(cells.values())))
    if moves is None or not any(part.ruleset.decides for cell in cells.values() for part in cell):
        return moves
    positions = Formula(moves.positions, moves.names)
    declared = (cell for numbers, cell in whole_cells(moves, cells).items() if positions(*numbers))
    return None if any(map(_is_decisive, chain.from_iterable(declared))) else moves


def _is_decisive(component: Component) -> bool:
    rules, position = component.ruleset, component.position
    if not rules.decides:
        return False
    ends = chain.from_iterable(map(parts_of, listed_options(component)))
    return decision(rules, position) != 0 or any(decision(rules, end) == SUNNY for end in ends)


def _family_moves(text: str, components: tuple[Component, ...]) -> DeclaredMoves | None:
    """Return the declared moves of a game whose parameter is a letter, such as ``bash{k}(n)``; None for other texts.

    ``components`` are the position's, with numbers for the letters. Also return None if their rules declare no family.
    """
    match = re.fullmatch(r"[\w-]+\{([^{}]+)\}\(([a-wyz])\)", text.replace(" ", ""))
    parameters = parameters_in(text)
    if match is None or len(components) != 1 or len(parameters) != 1 or parameters[0] == match[2]:
        return None
    with rule_errors(components[0].name, Message("the declared moves")):
        return components[0].ruleset.declared_family(re.sub(rf"\b{parameters[0]}\b", "k", match[1]))


_COMPARED = {1: 102, 2: 15, 3: 9, 4: 6}
"""Number of names -> the side of the table of :func:`game_of`, on which laws of a file are checked."""


class Game(NamedTuple):
    """A source of laws: its text and names, its declared moves or None, and ``cells``, a table of small positions.

    If the text consists of moves, ``cells`` is empty.
    """

    text: str
    names: tuple[str, ...]
    moves: DeclaredMoves | None
    cells: Cells


def game_of(text: str) -> Game:
    """Return the source of laws that a text describes. If the text consists of moves, ``cells`` of the result is empty.

    Raise a ParseError or ParameterError if the text is neither a position with names nor moves, and a LimitError if an
    automaton for the moves is too large.
    """
    if "'" in text:
        moves = moves_of_text(text)
        return Game(text, moves.names, moves, {})
    names = names_in(text)
    cells = cells_of(text, names, product(range(_COMPARED[len(names)]), repeat=len(names)))
    return Game(text, names, _moves_of(text, cells), cells)


def heap_game(cells: Cells) -> HeapGame | None:
    """Return the game of these positions if their numbers are the sizes of heaps of one heap game; otherwise None."""
    numbers, cell = next(reversed(cells.items())) if cells else ((), ())
    games = [part.ruleset for part in cell if isinstance(part.ruleset, HeapGame)]
    heaps = len(games) == len(cell) > 0 and tuple(part.position for part in cell) == numbers
    return games[0] if heaps and len({(type(game), game.name) for game in games}) == 1 else None


_TERM = re.compile(r"(?P<game>[^()]*)\((?P<names>[^()]*)\)")
_SAMPLE = (2, 3, 5, 8)
"""Sample numbers for up to four names, for :func:`_is_row_of_heaps`."""


def parts_with_names(text: str, names: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the parts of a sum, each with its names; empty if the text is no sum, or if a name occurs twice.

    A term with several heaps has a part for each heap. The result is also empty if parentheses contain anything but
    names, or if braces contain a name.

    >>> parts_with_names("take{1,2}(a) + kayles(b,c)", ("a", "b", "c"))
    (('take{1,2}(a)', ('a',)), ('kayles(b)', ('b',)), ('kayles(c)', ('c',)))
    >>> parts_with_names("wythoff(a,b)", ("a", "b"))
    ()
    """
    parts: list[tuple[str, tuple[str, ...]]] = []
    for term in map(str.strip, re.split(r"\+(?![^{(]*[})])", text)):
        match = _TERM.fullmatch(term)
        written = tuple(match["names"].replace(" ", "").split(",")) if match else ()
        if match is None or not all(re.fullmatch("[a-wyz]", name) for name in written):
            return ()
        # If the numbers of a term are heaps, there is a part for each heap. Otherwise the term is one part.
        heaps = _is_row_of_heaps(match["game"], len(written))
        parts += [(f"{match['game']}({name})", (name,)) for name in written] if heaps else [(term, written)]
    apart = len(parts) > 1 and sorted(chain.from_iterable(some for _, some in parts)) == sorted(names)
    return tuple(parts) if apart else ()


def _is_row_of_heaps(game: str, count: int) -> bool:
    """Return whether a position with ``count`` numbers, such as ``game(2,3,5)``, has a component for each number."""
    sample = _SAMPLE[:count]
    try:
        together = parse_position(f"{game}({','.join(map(str, sample))})").components
        alone = [parse_position(f"{game}({number})").components for number in sample]
    except ParseError:
        return False
    return [part.position for part in together] == list(sample) == [part.position for (part, *_) in alone]


_GRAPH_SIZES = {1: 512, 2: 90, 3: 18, 4: 9}
"""Number of names -> largest side of a table from a graph, unless ``max_positions`` allows the caller's ``size``."""

_FAR_SIZES = {1: 4096, 2: 200, 3: 32, 4: 12}
"""Number of names -> the side of a table that needs no graph."""

_MISERE_SIZES = {1: 512, 2: 40, 3: 12, 4: 7}
"""Number of names -> the side of a table that is computed from a graph under misère play."""

_TIMES_THE_LIMIT = 2
"""A graph is explored if its estimated size is at most this many times the limit: the estimate may be too large."""

_FIRST_SIZES = {1: 4, 2: 4, 3: 4, 4: 3}
"""Number of names -> side of the first table from a graph, unless ``max_positions`` allows the caller's ``size``.

Each further table from a graph has at most twice the side."""

LAW_POSITIONS = 20_000
"""The default limit on the positions of an explicit graph."""

_PROVING_HEAPS, _SLOWLY_PROVING = 20_000, 2_000
"""Largest heap for the proof of a period: 20,000 if values of small heaps speed up those of large heaps, otherwise
2,000."""

_COINS, _FAR_COINS = 10, 64
"""Sizes of tables of values of single heads in a row of coins: one table from a graph, one from ``closed_form``."""

_QUOTIENT_HEAPS, _MOST_ELEMENTS, _MOST_OUTCOMES = 64, 200, 500_000
"""Largest heap of the first misère quotient; maximum numbers of elements and of outcomes of any quotient."""


@dataclass(frozen=True)
class LawTable:
    """A table of the values of positions, indexed by the numbers of the positions.

    Attributes
    ----------
    text : str
        The position in the notation, with names in place of numbers; or moves as statements.
    names : tuple of str
    values : ndarray of int64
        An axis for each name. An entry is -1 if its numbers are not a position, if the position is sunny or loony, or
        if its value is not known.
    moves : DeclaredMoves or None
        The moves as statements, if the rules declare them or they were guessed.
    certificate : PeriodCertificate or None
        The proved period of the values of one heap. With ``quotient``, it is the period of the outcomes of one heap or,
        if there are several names, of the elements of heaps.
    misere : bool
    turns : DeclaredTurns or None
        For a row of coins with a single head at a place n: the declared turns.
    supposed : str
        If the moves or the period were guessed from options: the guessed moves or the name of the guessed game.
        Otherwise empty.
    quotient : MisereQuotient or None
        For heaps that split, under misère play. They have outcomes but no values: the table has 0 for P-positions and 1
        for N-positions.
    run_rules : bool
        Whether :meth:`option_values` may run the Python file with rules that the text names.
    """

    text: str
    names: tuple[str, ...]
    values: np.ndarray
    moves: DeclaredMoves | None
    certificate: PeriodCertificate | None
    misere: bool = False
    turns: DeclaredTurns | None = None
    supposed: str = ""
    quotient: MisereQuotient | None = None
    run_rules: bool = False

    @property
    def known(self) -> np.ndarray:
        """A boolean array: which entries have a value."""
        return np.asarray(self.values >= 0)

    def truth(self, of_p: bool) -> np.ndarray:
        """Return the values or, if ``of_p``, a boolean array: True for P-positions, False for all other entries."""
        return np.asarray(self.values == 0) if of_p else self.values

    @property
    def extent(self) -> str:
        """A phrase with the number of known entries and, for several names, the shape of the table."""
        return extent_text(int(self.known.sum()), self.values.shape)

    def option_values(self, numbers: tuple[int, ...]) -> set[int]:
        """Return the set of values of the options of the position with these numbers.

        Options without a value, such as sunny and loony ones, are left out. If the table is from a misère quotient, an
        option has the value 0 if it is a P-position, otherwise 1.
        """
        moves, shape = self.moves, self.values.shape
        is_whole = moves is not None and len(moves.names) == len(self.names) and not moves.followed
        if moves is not None and is_whole and not leads_out(moves, len(self.values), numbers):
            return set(self.values[declared_ends(moves, shape, numbers) & self.known].tolist())
        position = parse_position(with_numbers(self.text, self.names, numbers), run_rules=self.run_rules)
        if self.quotient is not None:
            heaps = position.components
            left = (
                (*(end if isinstance(end, Sum) else (end,)), *(other.position for other in heaps if other is not heap))
                for heap in heaps
                for end in heap.ruleset.options(heap.position)
            )
            return {int(self.quotient.outcome(*sum_) == "N") for sum_ in left}
        if self.misere:
            solution = misere_solution([position.components], LAW_POSITIONS)
            return {option.grundy for token in solution.tokens or () for option in solution.options(token)}
        solution, values = solution_of(position.graph()), position.values
        return {
            int(self.values[numbers]) ^ values[index] ^ int(option.grundy)
            for index, token in enumerate(solution.tokens or ())
            for option in solution.options(token)
            if not isinstance(option.grundy, Decisive)
        }


@checks_parameters
def law_table(
    text: str,
    *,
    size: int | None = None,
    misere: bool = False,
    max_positions: int = LAW_POSITIONS,
    run_rules: bool = False,
) -> LawTable:
    """Return a table of values of the positions of a text, from a graph, a theorem or declared moves.

    Parameters
    ----------
    text : str
        A position with names in place of numbers (small letters, but not x), the name or the code of a game, or moves
        as statements, separated by semicolons.
    size : int, optional
        Each name stands for the numbers 0 to ``size - 1``. The default depends on how many names there are, and on how
        the values can be computed.
    misere : bool
    max_positions : int
        Maximum number of positions of the explicit graph.
    run_rules : bool
        Whether a Python file with rules may be run, if the text names one: see :func:`parse_position`.

    Raises
    ------
    ParseError, ParameterError, RulesetError, OSError
        As for :func:`graphgame.laws.find`; or the rules contradict themselves.
    LimitError
        The table of this size, or its graph, is too large.

    Examples
    --------
    >>> law_table("wythoff(a,b)", size=3).values.tolist()
    [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    >>> law_table("n' < n; n' = n - 2", size=4).values.tolist()
    [0, 1, 2, 3]
    """
    with rules_run(run_rules):
        return replace(_law_table(text, size, misere, max_positions), run_rules=run_rules)


def _law_table(text: str, size: int | None, misere: bool, max_positions: int) -> LawTable:
    if "'" in text:
        return _of_statements(text, size, misere)
    text = with_names(text)
    names = names_in(text)
    by_graph = size is not None and size ** len(names) <= max_positions
    most = size if size is not None and by_graph else _GRAPH_SIZES[len(names)]
    parameters = parameters_in(text)
    coins = None if parameters else _coins_of(text, names)
    if coins is not None and not misere:
        return _of_coins(text, names, coins, size or most, size is not None)
    count = most if by_graph else min(_FIRST_SIZES[len(names)], most)
    table, cells, vertices = _table(text, names, count, max_positions)
    refuse_misere_end(misere, any(part.ruleset.decides for cell in cells.values() for part in cell))
    growth = 1.0
    # Double the table while the larger graph has, by an estimate, at most twice as many vertices as the limit.
    while count < most and vertices * growth ** log2(min(2, most / count)) <= _TIMES_THE_LIMIT * max_positions:
        count, before = min(2 * count, most), vertices
        try:
            table, cells, vertices = _table(text, names, count, max_positions)
        except LimitError:
            break
        growth = vertices / max(before, 1)
    heaps = None if parameters else heap_game(cells)
    if heaps is not None and len(names) == 1:
        table = replace(table, certificate=_period(heaps))
    if table.moves is not None:
        differing, _ = differing_by_statements(table.moves, whole_cells(table.moves, cells))
        if differing is not None:
            raise ParameterError(
                "the declared moves of {source} do not give its options at {position}, so the rules are wrong",
                text,
                differing,
            )
    wanted = _FAR_SIZES[len(names)] if size is None else size
    # If the rules declare no moves, guess moves from the options in the table.
    if table.certificate is None and table.moves is None and not parameters:
        table = _with_guesses(table, cells)
    splitting = heaps or code_alike(cells) if misere and not parameters else None
    if splitting is not None and splitting.rules.parts > 1:
        return _of_quotient(table, cells, splitting, size, max_positions)
    if not misere:
        return table if wanted <= len(table.values) else _larger(table, cells, wanted, size is not None, False)
    if not (parameters or table.supposed or table.moves is None or table.moves.starts):
        try:
            return _larger(table, cells, wanted, True, True)
        except LimitError:
            if size is not None:
                raise
    return _misere(table, cells, size or min(_MISERE_SIZES[len(names)], len(table.values)), max_positions)


def _coins_of(text: str, names: tuple[str, ...]) -> Ruleset | None:
    """Return the rules if a text stands for a single head in a row of coins, and they declare turns; otherwise None."""
    if len(names) > 1:
        return None
    try:
        (cell,) = cells_of(text, names, [(3,)]).values()
    except ParseError:
        return None
    return cell[0].ruleset if turns_of(cell) is not None and cell[0].position == "tth" else None


def _of_coins(text: str, names: tuple[str, ...], rules: Ruleset, most: int, needed: bool) -> LawTable:
    """Return the table of a single head in a row of coins, with the values of the rules' ``closed_form``.

    If ``needed``, the user gave the size of the table, ``most``; otherwise it is 64. Raise a ParameterError if the
    values differ from those of a small graph, or if the declared turns do not give the options of small rows. Raise a
    LimitError if ``needed`` and the rules do not allow rows of ``most - 1`` coins.
    """
    small, *_ = _table(text, names, min(_COINS, most), LAW_POSITIONS)
    count = most if needed else _FAR_COINS
    cells = cells_of(text, names, ((coin,) for coin in range(count)))
    if needed and (longest := next(reversed(cells))[0]) < count - 1:
        raise LimitError(
            "{source}: the size {size:,} is too large: a row has at most {longest:,} coins",
            text,
            count,
            longest,
            limit="size",
        )
    values = np.full(count, -1, np.int64)
    for (coin,), (cell,) in cells.items():
        with rule_errors(cell.name, Message("the closed form"), cell.position, method=rules.closed_form):
            values[coin] = int(rules.closed_form(cell.position) or 0)  # type: ignore[arg-type]
    if (values[: len(small.values)] != small.values[:count]).any():
        raise ParameterError(
            "the closed form of {source} gives other values than its graph, so the rules are wrong", text
        )
    turns = turns_of((cell,))
    assert turns is not None
    if (differing := differing_turn(rules, turns)) is not None:
        raise ParameterError(
            "the declared turns of {source} do not give its options at {position}, so the rules are wrong",
            text,
            differing,
        )
    return LawTable(text, names, values, None, None, turns=turns)


def _with_guesses(table: LawTable, cells: Cells) -> LawTable:
    """Return the table with moves, a period, or both, if they can be guessed from the options of ``cells``.

    ``cells`` has the components of each position. The period is that of :func:`code_alike`, if its values agree.
    """
    moves, code = moves_alike(table.names, cells), code_alike(cells)
    if moves is not None:
        table = replace(table, moves=moves, supposed="; ".join(moves.moves))
    if code is None or (code.grundy_values(len(table.values) - 1) != table.values).any():
        return table
    return replace(table, certificate=_period(code), supposed=code.name)


def _misere(table: LawTable, cells: Cells, size: int, max_positions: int) -> LawTable:
    """Return ``table`` with values of misère play, from the graph of ``cells``; each axis has the length ``size``.

    Raise LimitError if ``table`` has shorter axes, or if the graph has more than ``max_positions`` positions.
    """
    if size > len(table.values):
        raise LimitError(
            "{source}: the size {size:,} is too large for misère play: its values are known only from its graph, for a "
            "size up to {most:,}; a larger --max-positions may help",
            table.text,
            size,
            len(table.values),
            limit="size",
        )
    cells = {numbers: cell for numbers, cell in cells.items() if max(numbers) < size}
    values = np.full((size,) * len(table.names), -1, np.int64)
    solution = misere_solution(cells.values(), max_positions)
    for numbers, token in zip(cells, solution.tokens or (), strict=True):
        values[numbers] = solution.grundy[token]
    return replace(table, values=values, misere=True, certificate=None)


def _of_quotient(table: LawTable, cells: Cells, game: HeapGame, size: int | None, max_positions: int) -> LawTable:
    """Return a table of the outcomes of heaps, or of sums of heaps, under misère play, by a misère quotient.

    Raises
    ------
    LimitError
        The table is too large, or no period is proved and outcomes are known for fewer than ``size`` heaps. If ``game``
        was guessed from options: ``cells`` has fewer than ``size`` heaps, or the rules have other moves than ``game``.
    """
    quotient, rules, supposed = _quotient_of(game, max_positions), next(reversed(cells.values()))[0].ruleset, ""
    known = len(quotient.labels) if quotient.period is None else size or _GRAPH_SIZES[1]
    if rules is not game:  # ``game`` was guessed from options: check the quotient with the moves of the rules
        supposed, known = game.name, min(known, len(cells))
        if find_fault_among(quotient, explore(rules, *range(known), max_positions=max_positions)) is not None:
            raise LimitError(
                "{source} is not {code}: their moves differ for some size below {size}",
                table.text,
                known,
                supposed,
                limit="size",
            )
    if size is not None and size > known:
        reason = (
            (supposed and Message("the moves of larger heaps are not known"))
            or quotient.stopped
            or Message("a larger --max-positions may help")
        )
        raise LimitError(
            "{source}: the size {size:,} is too large: the misère quotient is known only for {known:,} heaps: {reason}",
            table.text,
            size,
            known,
            reason,
            limit="size",
        )
    several = len(table.names) - 1
    count = size or (min(known, len(table.values)) if several else known)
    if several:
        refuse_large(count ** len(table.names))
    # The products of the elements of heaps give the outcomes of sums without a graph.
    elements = whole = np.array([quotient.element(heap) for heap in range(count)], np.int64)
    for _ in range(several):
        whole = quotient.table[whole[..., None], elements]
    values = np.where(quotient.is_p[whole], 0, 1)
    certificate = quotient.period
    if certificate is not None and not several:
        outcomes = tuple(int(not quotient.is_p[element]) for element in certificate.values)
        certificate = replace(certificate, values=outcomes)
    table = replace(table, values=values, moves=None, certificate=certificate, misere=True)
    return replace(table, quotient=quotient, supposed=supposed)


def _quotient_of(game: HeapGame, max_positions: int) -> MisereQuotient:
    """Return the misère quotient of enough heaps to prove a period of their elements.

    If the limits do not allow that many heaps, return a quotient of fewer heaps. If no theorem can prove a period of
    this game, return the quotient of the heaps 0 to 64.
    """
    find = partial(
        heap_quotient, game, max_positions=max_positions, max_order=_MOST_ELEMENTS, max_outcomes=_MOST_OUTCOMES
    )
    heaps = _QUOTIENT_HEAPS
    quotient = find(heaps)
    while quotient.complete and quotient.period is None and game.provable:
        heaps *= 2
        try:
            quotient = find(heaps)
        except LimitError:
            break
    return quotient


def _larger(table: LawTable, cells: Cells, wanted: int, needed: bool, misere: bool) -> LawTable:
    """Return a table with axes of length ``wanted``, made without a graph; ``cells`` has the positions of ``table``.

    If the new table cannot be made, raise LimitError if ``needed`` (the user gave the size), otherwise return
    ``table``. If not ``needed``, also return ``table`` if the new table has fewer known values or, under normal play,
    for one heap of a heap game. Under normal play, raise ParameterError if values differ between the two tables.
    """
    numbers, first = next(reversed(cells.items()))
    alone = len(first) == 1 and first[0].position == numbers and wanted**2 <= MOST_ENTRIES
    pairs = None
    if alone and len(numbers) == 2:
        with rule_errors(first[0].name, Message("the table of values")):
            shape = wanted, wanted
            pairs = returned_array(first[0].ruleset.value_array(shape, misere), shape)
    try:
        if pairs is not None:
            values = pairs.astype(np.int64)
        elif not misere and needed and table.certificate is not None and not table.supposed:
            values = table.certificate.values_to(wanted - 1).astype(np.int64)
        elif not misere and len(table.names) == 1 == len(first) and isinstance(first[0].ruleset, HeapGame):
            values = first[0].ruleset.grundy_values(wanted - 1).astype(np.int64) if needed else table.values
        elif table.moves is not None and not table.moves.starts and not table.supposed:
            values = declared_values(table.moves, wanted, misere=misere)
        else:
            raise LimitError(
                "{source}: the size {size:,} is too large: its values are known only from its graph; "
                "a larger --max-positions may help, or rules that declare their moves",
                table.text,
                wanted,
                limit="size",
            )
    except LimitError:
        if needed:
            raise
        return table
    # Declared moves may be wrong. In normal play the larger table must agree with the table from the graph where both
    # have values.
    corner = values[tuple(map(slice, table.values.shape))]
    if not misere and ((corner != table.values) & (corner >= 0) & (table.values >= 0)).any():
        raise ParameterError(
            "the rules of {source} are wrong: the moves or values they declare do not fit its graph", table.text
        )
    if not needed and (values >= 0).sum() < (table.values >= 0).sum():
        return table
    certificate = table.certificate if not misere else None
    return replace(table, values=values, misere=misere, certificate=certificate)


def _of_statements(text: str, size: int | None, misere: bool) -> LawTable:
    moves = moves_of_text(text)
    far, usual = _FAR_SIZES[len(moves.names)], _GRAPH_SIZES[len(moves.names)]
    smaller = (usual * part // 4 for part in (3, 2, 1))
    # Some statements only allow small tables. Take the largest one that can be made.
    for wanted in (far, usual, *smaller) if size is None else (size,):
        try:
            return LawTable(text, moves.names, declared_values(moves, wanted, misere=misere), moves, None, misere)
        except LimitError as error:
            refused = error
    raise refused


def _table(text: str, names: tuple[str, ...], count: int, max_positions: int) -> tuple[LawTable, Cells, int]:
    """Return a table with axes of length ``count``, the components of its positions, and its graph's vertex count."""
    if (entries := count ** len(names)) > max_positions:
        raise LimitError(
            "a table of {entries:,} entries is larger than the limit, max_positions={max_positions}",
            entries,
            max_positions,
            limit="max_positions",
        )
    cells = cells_of(text, names, product(range(count), repeat=len(names)))
    whole = Position(chain.from_iterable(cells.values()), max_positions)
    parts = iter(whole.values)
    values = np.full((count,) * len(names), -1, np.int64)
    for numbers, cell in cells.items():
        value = reduce(xor, islice(parts, len(cell)), 0)
        values[numbers] = value if isinstance(value, int) else -1  # sunny or loony
    return LawTable(text, names, values, _moves_of(text, cells), None), cells, len(whole.open_graph.solution.graph)


def _period(game: HeapGame) -> PeriodCertificate | None:
    return game.period(_PROVING_HEAPS if game.rules.reuses_values else _SLOWLY_PROVING)


def extent_text(positions: int, sizes: tuple[int, ...]) -> str:
    """Return a phrase with the number of positions and, for several names, the shape of a table.

    >>> extent_text(8100, (90, 90))
    '8,100 positions (90 x 90)'
    """
    shape = f" ({' x '.join(map(str, sizes))})" if sizes[1:] else ""
    return plural(positions, "position") + shape
