"""Laws of games: the values or the P-positions of all sizes, found from a table, and proved where that goes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import chain, islice, product
from operator import mul, xor

import numpy as np

from graphgame.errors import LimitError, OptionError, ParseError
from graphgame.games.notation import parse_position
from graphgame.heaps.heapgame import HeapGame
from graphgame.heaps.periods import PeriodCertificate
from graphgame.rules import MAX_POSITIONS
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.component import Component
from graphgame.rules.declared import DeclaredMoves, number_names, side_by_side
from graphgame.rules.position import Position
from graphgame.rules.ruleset import Ruleset
from graphgame.solution import solve
from graphgame.theory.laws.automata import Automaton
from graphgame.theory.laws.candidates import agrees, fits_table, lost_candidates, value_candidates
from graphgame.theory.laws.expressions import Formula
from graphgame.theory.laws.law import Law, Refutation, extent_text
from graphgame.theory.laws.learning import learned
from graphgame.theory.laws.numeration import numeration_of
from graphgame.theory.laws.proving import Proof, by_induction, by_period, period_statement, period_words, set_of_formula
from graphgame.theory.laws.statements import after, set_of

__all__ = ["Law", "LawTable", "Refutation", "find", "guess", "law_table", "laws_of"]

_SIZES = {1: 512, 2: 90, 3: 18, 4: 9}
"""Number of names -> how many numbers of each are looked at, if the graph is not too large."""

_FIRST_SIZES = {1: 4, 2: 4, 3: 4, 4: 3}
_MOST_POSITIONS = 20_000
_PROVING_HEAPS = 20_000
_TRIED_MOVES = 100
_NAME = re.compile(r"(?<![A-Za-wyz_])[a-wyz](?![A-Za-wyz_])")
_BRACES = re.compile(r"\{[^{}]*\}")
_ENTRIES_A_CELL = 4
"""A table must have so many times as many positions as a guessed automaton has transitions, or nothing is predicted."""

_NUMERATIONS = ("base 2", "Fibonacci", "base 3", "Fibonacci 2")


Cells = dict[tuple[int, ...], tuple[Component, ...]]


@dataclass(frozen=True)
class LawTable:
    """The values of a game's positions by the numbers that they consist of.

    Attributes
    ----------
    text : str
        The position in the notation, with names in place of numbers.
    names : tuple of str
    values : ndarray of int64
        An axis for each name; -1 where the numbers are no position.
    moves : DeclaredMoves or None
        The moves as statements, where the rules declare them.
    certificate : PeriodCertificate or None
        Of a game of one heap whose period is proved.
    """

    text: str
    names: tuple[str, ...]
    values: np.ndarray
    moves: DeclaredMoves | None
    certificate: PeriodCertificate | None

    @property
    def extent(self) -> str:
        """How many positions there are, and how far they go."""
        return extent_text(int((self.values >= 0).sum()), self.values.shape)

    def position(self, *numbers: int, max_positions: int = MAX_POSITIONS) -> Position:
        """Return the position of some numbers."""
        return parse_position(_filled(self.text, self.names, numbers), max_positions=max_positions)


def find(text: str, *, size: int | None = None, max_positions: int = _MOST_POSITIONS) -> list[Law]:
    """Return the simplest law of a game's values, and that of its P-positions; none where none is found.

    Parameters
    ----------
    text : str
        A position with names of one letter in place of numbers, such as ``"wythoff(a,b)"``, or the name of a game.
    size : int, optional
        How many numbers 0, 1, ... each name stands for in the table that is looked at.
    max_positions : int
        Most positions of the explicit graph.

    Raises
    ------
    ParseError, OptionError
        The text names no family of positions.
    LimitError
        The table or the graph is too large, whatever the size.

    Notes
    -----
    Formulas are tried in a fixed order, simple ones first, and compared with the whole table; those with constants take
    them from one half of it. A law is called proved only where a theorem on periods has its certificate, or where
    every step of an induction over the moves that the rules declare was decided for all numbers, by automata.

    Examples
    --------
    >>> for law in find("wythoff(a,b)"):
    ...     print(law.text)
    P-positions: min(a, b) = floor(abs(a - b)*phi)
    >>> find("bash{3}(n)")[0].status
    'proved'
    """
    return laws_of(law_table(text, size=size, max_positions=max_positions))


def laws_of(seen: LawTable) -> list[Law]:
    """Return the simplest law of the values of a table, and that of its P-positions; as :func:`find`."""
    found = [_law_of_values(seen), _law_of_lost(seen)]
    return [law for law in found if law is not None]


def guess(
    text: str,
    formula: str | Callable[..., int | bool],
    *,
    size: int | None = None,
    max_positions: int = _MOST_POSITIONS,
) -> Law | Refutation:
    """Compare a formula with a game: return the law, proved where that goes, or the first position that refutes it.

    Parameters
    ----------
    text, size, max_positions
        As for :func:`find`.
    formula : str or callable
        A value, or whether a position is P. A text is parsed and never run as Python; a function gets the numbers, and
        what it says is compared alone, not proved.

    Examples
    --------
    >>> guess("take{1,3,4}(n)", "n % 7 in (0, 2)").grounds
    'proved: period 7, by the values to n = 11'
    >>> print(guess("take{1,3,4}(n)", "n % 7"))
    first counterexample: n = 2: the guess says 2, the value is 0 (mex of 1)
    """
    seen = law_table(text, size=size, max_positions=max_positions)
    said = Formula(formula, seen.names) if isinstance(formula, str) else formula
    of_lost = isinstance(said(*np.argwhere(seen.values >= 0)[0].tolist()), bool)
    truth = seen.values == 0 if of_lost else seen.values
    known = seen.values >= 0
    wrong = agrees(said, truth, known)
    if wrong is not None:
        return _refutation(seen, wrong, said(*wrong))
    formula_ = said if isinstance(said, Formula) else None
    proof = None if formula_ is None else _proof(seen, formula_, of_lost)
    return _law(seen, of_lost, formula_, proof)


def law_table(text: str, *, size: int | None = None, max_positions: int = _MOST_POSITIONS) -> LawTable:
    """Return the values of the positions that a text with names stands for, from the explicit graph or a theorem.

    Examples
    --------
    >>> law_table("wythoff(a,b)", size=3).values.tolist()
    [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    """
    text = _with_names(text)
    names = tuple(dict.fromkeys(match[0] for match in _NAME.finditer(_blank(text))))
    if not 1 <= len(names) <= max(_SIZES):
        raise OptionError(f"{text}: {len(names)} names: expected 1 to {max(_SIZES)}, as in wythoff(a,b)")
    count, most = (_FIRST_SIZES[len(names)], _SIZES[len(names)]) if size is None else (size, size)
    found, cells = _table(text, names, count, max_positions)
    while count < most:
        count = min(2 * count, most)
        try:
            found, cells = _table(text, names, count, max_positions)
        except LimitError:
            break
    if found.moves is not None:
        _compare_moves(found, cells)
    return found


def _table(text: str, names: tuple[str, ...], count: int, max_positions: int) -> tuple[LawTable, Cells]:
    if (entries := count ** len(names)) > max_positions:
        raise LimitError(
            f"a table of {entries:,} entries is larger than the limit, max_positions={max_positions}", "max_positions"
        )
    loaded: dict[tuple[str, str], Ruleset] = {}
    cells: Cells = {}
    refused: ParseError | None = None
    for numbers in product(range(count), repeat=len(names)):
        try:
            cells[numbers] = parse_position(_filled(text, names, numbers), loaded=loaded).components
        except ParseError as error:
            refused = error
    if not cells:
        assert refused is not None
        raise refused
    whole = Position(chain.from_iterable(cells.values()), max_positions)
    parts = iter(whole.values)
    values = np.full((count,) * len(names), -1, np.int64)
    for numbers, cell in cells.items():
        values[numbers] = reduce(xor, islice(parts, len(cell)), 0)
    components = next(reversed(cells.values()))
    moves = _declared(text, components)
    return LawTable(text, names, values, moves, _certificate(components)), cells


def _with_names(text: str) -> str:
    """Return a text with names in place of numbers; of a game that is only named, its example with names."""
    if text.strip() not in CATALOGUE:
        return text
    example = CATALOGUE[text.strip()].example
    name, _, position = example.rpartition("(")
    numbers = re.findall(r"\d+", position)
    if not re.fullmatch(r"\d+(,\d+)*\)", position):
        raise OptionError(f"{text}: its positions are not numbers alone, as in {example}")
    return f"{name}({', '.join(number_names(len(numbers)))})"


def _blank(text: str) -> str:
    """Return a text with spaces for what stands outside parentheses, or in braces: the rest may hold names."""
    inside = _BRACES.sub(lambda match: " " * len(match[0]), text)
    kept = [" "] * len(inside)
    for match in re.finditer(r"\([^()]*\)", inside):
        kept[match.start() : match.end()] = match[0]
    return "".join(kept)


def _filled(text: str, names: tuple[str, ...], numbers: tuple[int, ...]) -> str:
    given = dict(zip(names, map(str, numbers), strict=True))
    blank, parts, last = _blank(text), [], 0
    for match in _NAME.finditer(blank):
        parts += [text[last : match.start()], given[match[0]]]
        last = match.end()
    return "".join([*parts, text[last:]])


def _declared(text: str, components: tuple[Component, ...]) -> DeclaredMoves | None:
    groups = [re.findall(r"[a-wyz]", group) for group in re.findall(r"\(([^()]*)\)", _blank(text))]
    written = [name for group in groups for name in group]
    if len({*written}) < len(written) or re.search(r"\d", _blank(text)):
        return None  # the numbers are not free
    sizes = [len(group) for group in groups]
    if len(sizes) != len(components):
        sizes = [1] * len(written)
    if len(sizes) != len(components):
        return None
    parts = [component.ruleset.declared_moves(size) for component, size in zip(components, sizes, strict=True)]
    known = [part for part in parts if part is not None]
    return side_by_side(known) if len(known) == len(parts) else None


def _certificate(components: tuple[Component, ...]) -> PeriodCertificate | None:
    if len(components) != 1 or not isinstance(components[0].ruleset, HeapGame):
        return None
    return components[0].ruleset.period(_PROVING_HEAPS)


def _compare_moves(seen: LawTable, cells: Cells) -> None:
    """Refuse declared moves that are not the options, as far as that shows in small positions."""
    assert seen.moves is not None
    numeration, names = numeration_of("base 2"), seen.moves.names
    primes = tuple(after(name) for name in names)
    moves = [set_of(numeration, move, (*names, *primes)) for move in seen.moves.moves]
    positions = set_of(numeration, seen.moves.positions, names)
    totals = {cell: sum(map(mul, cell, seen.moves.weights)) for cell in cells}
    # All moves from a total end in smaller ones: so up to some total all ends are among these positions.
    most = min(seen.values.shape[0] - 1, sorted(totals.values())[: _TRIED_MOVES + 1][-1] - 1)
    small = [cell for cell, total in totals.items() if total <= most]
    ends = dict(zip(primes, np.array(small).T, strict=True))
    for start in small:
        given = dict(zip(names, start, strict=True))
        if not positions.contains(**given):
            continue
        reached = np.any([move.contains(**given, **ends) for move in moves], axis=0)
        said = {_whole(cells[small[place]]) for place in np.flatnonzero(reached).tolist()}
        if said != set(_options(cells[start])):
            raise OptionError(f"the declared moves of {seen.text} are not its options at {start}")


def _options(components: tuple[Component, ...]) -> Iterator[tuple[object, ...]]:
    for place, component in enumerate(components):
        for option in component.ruleset.options(component.position):
            left = component._replace(position=option)
            yield _whole((*components[:place], left, *components[place + 1 :]))


def _whole(components: tuple[Component, ...]) -> tuple[object, ...]:
    return tuple(component.ruleset.canonical(component.position) for component in components)


def _law_of_values(seen: LawTable) -> Law | None:
    known = seen.values >= 0
    for text in value_candidates(seen.values, seen.names) if known.all() else ():
        if fits_table(text, seen.names, seen.values, known):
            formula = Formula(text, seen.names)
            return _law(seen, False, formula, _proof(seen, formula, False))
    if seen.certificate is None:
        return None
    return _law(seen, False, None, Proof(period_words(seen.certificate)))


def _law_of_lost(seen: LawTable) -> Law | None:
    known, lost = seen.values >= 0, seen.values == 0
    for text in lost_candidates(lost, seen.names):
        if fits_table(text, seen.names, lost, known):
            formula = Formula(text, seen.names)
            return _law(seen, True, formula, _proof(seen, formula, True))
    if seen.certificate is not None:
        text = period_statement(seen.certificate, seen.names[0], True)
        return _law(seen, True, Formula(text, seen.names), Proof(period_words(seen.certificate)))
    by_name = lost.transpose(np.argsort(seen.names))
    for name in _NUMERATIONS:
        automaton = learned(numeration_of(name), tuple(sorted(seen.names)), by_name)
        if automaton is not None and automaton.table.size * _ENTRIES_A_CELL <= known.sum():
            proof = None
            if seen.moves is not None:
                proof = by_induction(seen.moves, _renamed(seen, automaton), True)
            return _law(seen, True, None, proof, automaton)
    return None


def _proof(seen: LawTable, formula: Formula, of_lost: bool) -> Proof | None:
    if seen.certificate is not None:
        return by_period(seen.certificate, formula, of_lost)
    if seen.moves is None:
        return None
    claimed = set_of_formula(formula, of_lost)
    if claimed is None:
        return None
    proof = by_induction(seen.moves, _renamed(seen, claimed), of_lost)
    return None if proof is None else proof._replace(automaton=claimed)


def _renamed(seen: LawTable, claimed: Automaton) -> Automaton:
    """Return a set with the names of the declared moves."""
    assert seen.moves is not None
    return claimed.renamed(dict(zip(seen.names, seen.moves.names, strict=True)))


def _law(
    seen: LawTable, of_lost: bool, formula: Formula | None, proof: Proof | None, automaton: Automaton | None = None
) -> Law:
    known = seen.values >= 0
    certificate = seen.certificate if formula is None and automaton is None else None
    largest = tuple(int(axis.max()) for axis in np.nonzero(known))
    return Law(
        "P-positions" if of_lost else "values",
        seen.names,
        formula,
        automaton or (None if proof is None else proof.automaton),
        "" if proof is None else proof.text,
        int(known.sum()),
        largest,
        () if proof is None else proof.steps,
        certificate,
    )


def _refutation(seen: LawTable, numbers: tuple[int, ...], said: int | bool) -> Refutation:
    position = seen.position(*numbers)
    solution, values = solve(position.graph()), position.values
    options = {
        int(seen.values[numbers]) ^ values[place] ^ int(option.grundy)
        for place, token in enumerate(solution.tokens or ())
        for option in solution.options(token)
    }
    return Refutation(seen.names, numbers, said, int(seen.values[numbers]), tuple(sorted(options)))
