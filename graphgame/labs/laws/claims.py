"""The steps of proofs of laws: statements about all numbers, each decided by an automaton.

Assume that every move lowers a total that is never negative. Then, by induction over the total, under normal play:

* A set is the set of P-positions if no position in it has a move into it, and every other position has such a move.
* A function gives the Grundy values if no option has the value of its position, and every smaller value is that of some
  option.

Each of these is a statement about all numbers, and is decided by an :class:`Automaton`. Under misère play a position
without a move is an exception: it is an N-position of value 1.

Other statements are decided for recurrences (:func:`decide_recurrence`), winning moves (:func:`decide_winning`), pairs
of Wythoff's games (:func:`decide_pairs`), rows of coins (:func:`decide_coins`), and formulas with a remainder by a
term, such as n % (k + 1) (:func:`decide_divided`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import gcd
from typing import TYPE_CHECKING, Any

import numpy as np

from graphgame.errors import LimitError, Message, ParameterError
from graphgame.labs.laws.automata import Automaton, Numeration, linear, numeration_of, recorded
from graphgame.labs.laws.formulas import after, as_written, parsed, renamed
from graphgame.labs.laws.statements import binary_set, set_of
from graphgame.rules.declared import DeclaredMoves, DeclaredTurns

if TYPE_CHECKING:
    from graphgame.labs.heaps.periods import PeriodCertificate

VALUE, _OTHER = "value", "other"
"""Names of tracks: of a value, and of a smaller number. The tracks of a position's numbers have names of one letter."""

INDUCTION = {
    ("P-positions", False): Message("no P-position has a move to a P-position, every other position has one"),
    ("P-positions", True): Message(
        "each P-position has moves, but none to a P-position; each other position has one to a P-position, or no move"
    ),
    ("values", False): Message("no move keeps the value, every smaller value is that of an option"),
    ("values", True): Message(
        "a position without a move has the value 1; at each other position no move keeps the value, and every smaller "
        "value is that of an option"
    ),
}
"""What :func:`decide_induction` proves about P-positions or values; the second item of a key is True in misère play."""

_WIDEST_PAIRS = 15
"""Largest r for which the formula for the pairs of r-Wythoff is recognised."""

_HEAVIEST = 3
"""Largest weight that :func:`lowering_weights` tries for a number."""


@dataclass(frozen=True)
class Decided:
    """A statement that was decided. ``example`` is a counterexample; None if the statement is true for all numbers."""

    text: str
    example: Mapping[str, int] | None


def empty(text: str, wrong: Automaton) -> Decided:
    """Decide the statement ``text``: it is true if the set ``wrong`` of all its counterexamples is empty."""
    return Decided(text, wrong.example())


def held(statements: Iterable[Decided]) -> tuple[Decided, ...] | None:
    """Return the statements if all are true; None if one is false, or if a LimitError or ParameterError is raised."""
    true = []
    try:
        for statement in statements:
            if statement.example is not None:
                return None
            true.append(statement)
    except (LimitError, ParameterError):
        return None
    return tuple(true)


def claimed_set(law: Mapping[str, Any]) -> Automaton:
    """Return the set that the JSON object of a law claims: the P-positions, or the positions with their values.

    The set is made from the formula of the law. It is read from the automaton in the object if there is no formula, or
    if the formula is a recurrence or comes from :func:`pairs_text`.

    Raises
    ------
    ParameterError
        The formula cannot be decided, or the automaton is needed, but missing or invalid.
    LimitError
        An automaton is too large.
    """
    names, formula, of_p = law["names"], law["formula"], law["about"] == "P-positions"
    if formula is None or (of_p and width_of_pairs(formula, names)) or is_recurrence(law):
        return recorded(law.get("automaton") or {}, tracks_of(names, of_p))
    return formula_set(formula, names, of_p)


def tracks_of(names: Iterable[str], of_p: bool) -> tuple[str, ...]:
    """Return the sorted tracks of a law's set: ``names``, and also ``value`` unless it is of P-positions (``of_p``)."""
    return tuple(sorted(names if of_p else (*names, VALUE)))


def formula_set(formula: str, names: Iterable[str], of_p: bool) -> Automaton:
    """Return the set that a formula describes: the P-positions (``of_p``), or the positions with their values.

    Raises
    ------
    ParameterError
        The formula cannot be turned into an automaton.
    LimitError
        An automaton is too large.
    """
    numeration = numeration_of("Fibonacci" if "zeckendorf(" in formula else "base 2")
    return set_of(numeration, formula if of_p else f"{VALUE} = ({formula})", tracks_of(names, of_p))


def differing_in_text(
    game: DeclaredMoves, names: Sequence[str], whole: Automaton, claimed: Automaton
) -> dict[str, int] | None:
    """Compare the set ``claimed`` of a law with the proved set ``whole``; return a tuple in only one of them, or None.

    ``whole`` has all numbers of each position. ``claimed`` and the result, a dict, have only the first numbers; the law
    calls these ``names``. The function compares only positions that satisfy ``game.starts``.
    """
    starts = set_of(whole.numeration, f"({game.starts}) and ({game.positions})", game.names)
    shown = dict(zip(game.names, names, strict=False))
    proved, every = (each.without(*game.names[len(names) :]).renamed(shown) for each in (whole & starts, starts))
    return proved.differing(claimed & every)


def width_of_pairs(formula: str | None, names: Sequence[str]) -> int:
    """Return r if ``formula`` is the text that :func:`pairs_text` returns for r-Wythoff; otherwise 0.

    Only r up to ``_WIDEST_PAIRS`` are tried.
    """
    widths = range(1, _WIDEST_PAIRS + 1) if len(names) == 2 else ()
    return next((width for width in widths if formula == pairs_text(width, names)), 0)


def is_recurrence(law: Mapping[str, Any]) -> bool:
    """Return whether the formula of a law of values is a recurrence: it uses values at smaller numbers, g(...)."""
    of_one = len(law["names"]) == 1 and law["names"] != ["g"] and law["about"] == "values"
    return of_one and law["formula"] is not None and re.search(r"\bg\(", law["formula"]) is not None


def decide_recurrence(values: Automaton, text: str) -> Iterator[Decided]:
    """Yield two statements: every pair in ``values`` obeys the recurrence ``text``, and no other pair does.

    The pairs are (number, value).
    """
    obeying = set_of(values.numeration, f"{VALUE} = ({text})", values.tracks, values)
    yield empty(Message("the value of every position obeys the recurrence"), values.minus(obeying))
    yield empty(Message("no number except the value of the position obeys the recurrence"), obeying.minus(values))


def decide_induction(
    game: DeclaredMoves, claimed: Automaton, misere: bool = False, sure: Sequence[str] = ()
) -> Iterator[Decided]:
    """Yield the statements that prove by induction that ``claimed`` is the set of P-positions.

    If ``claimed`` has a track ``value``, they prove that it is the set of positions with their values. If the
    statements of ``game`` may allow too many moves, ``sure`` has statements for moves that certainly exist. Then only
    the moves in ``sure`` count where the proof needs a position to have a move.
    """
    rules = _Rules(game, claimed.numeration, sure)
    yield from rules.ends(game.weights)
    yield from _values(rules, claimed, misere) if VALUE in claimed.tracks else _outcomes(rules, claimed, misere)


def decide_winning(game: DeclaredMoves, p_set: Automaton, law: Mapping[str, Any]) -> Iterator[Decided]:
    """Yield the statements that prove a law of winning moves, given the set of P-positions.

    The law is about the numbers before and after a move. These may be only the first numbers of a position. The law
    describes either all winning moves, or at least one winning move from each position that has one.
    """
    winning, names = WinningMoves(game, p_set, law["names"]), law["names"]
    if law["formula"] is None:
        claimed = recorded(law.get("automaton") or {}, tuple(sorted((*names, *map(after, names)))))
    else:
        claimed = winning.moves_with(law["formula"])
    if len(names) < len(game.names):
        yield Decided(Message("the numbers that the law names decide whether a move wins"), winning.unclear)
    yield from winning.decided(claimed, law["about"])


class WinningMoves:
    """All moves and the winning moves of a game. A move is a tuple: the numbers before and after it that a law names.

    A law may name only the first numbers of a position.

    Attributes
    ----------
    every, winning : Automaton
        All moves from the positions that the notation can name, and those of them that lead to P-positions.
    unclear : mapping of str to int, or None
        A move that wins or loses depending on numbers of the position that the law does not name. None if there is no
        such move.
    """

    def __init__(self, game: DeclaredMoves, p_set: Automaton, names: Sequence[str]) -> None:
        rules, self.names = _Rules(game, p_set.numeration), names
        _refuse_followed(rules)
        starts = set_of(p_set.numeration, game.starts or "True", game.names) & rules.positions
        every = set_of(p_set.numeration, "False", (*game.names, *rules.primes.values()))
        for _, move in rules.moves:
            every |= move
        every &= starts
        # The moves are about all numbers of a position. Project away those that the law does not name.
        hidden = game.names[len(names) :]
        shown = dict(zip(game.names, names, strict=False))
        shown |= {after(old): after(new) for old, new in shown.items()}
        left_out = (*hidden, *map(after, hidden))
        into = rules.moved(p_set)
        self.every, self.winning = (each.without(*left_out).renamed(shown) for each in (every, every & into))
        self.unclear = None
        if hidden:
            losing = every.minus(into).without(*left_out).renamed(shown)
            self.unclear = (self.winning & losing).example()

    def moves_with(self, text: str) -> Automaton:
        """Return the moves for which ``text`` is true, as a set of the named numbers before and after a move."""
        return self.every & set_of(self.every.numeration, text, (*self.names, *map(after, self.names)))

    def decided(self, claimed: Automaton, about: str) -> Iterator[Decided]:
        """Yield the statements that prove a claim about moves.

        The claim is that all moves of ``claimed`` win. If ``about`` is "winning moves", it also says that no other move
        wins; otherwise, that each position with a winning move has one in ``claimed``.
        """
        yield empty(Message("every move of the law is a winning move"), claimed.minus(self.winning))
        if about == "winning moves":
            yield empty(Message("every winning move is a move of the law"), self.winning.minus(claimed))
            return
        ends = [after(name) for name in self.names]
        missing = self.winning.without(*ends).minus(claimed.without(*ends))
        yield empty(Message("the law has a winning move for each position from which some move wins"), missing)


def _outcomes(rules: _Rules, p_set: Automaton, misere: bool) -> Iterator[Decided]:
    """Yield the statements that prove that ``p_set`` is the set of P-positions.

    For each pair (p, q) of positions in ``rules.followed``, each option of q is also an option of p. So if q is an
    N-position with a move, p is an N-position. Under misère play, ``p_set`` must have no position without a move.
    """
    # By induction over the total, the set is right for all positions with a smaller total. So a position with
    # options is P exactly if none of them is in the set. First condition: no move leads from the set into the set.
    inside, ends = p_set & rules.positions, rules.moved(p_set)
    for text, move in rules.moves:
        yield empty(Message("no move leads from a P-position to a P-position: {text}", text), inside & move & ends)
    for text, move in rules.followed:
        statement = Message(
            "if a P-position has all options of another position, then the other position is a P-position too: "
            "{condition}",
            text,
        )
        yield empty(statement, (inside & move).minus(ends))
    # Second condition: every other position has an option in the set. Remove the positions that have one; nothing may
    # be left.
    others, has_move = rules.positions.minus(p_set), Message("every other position has a move to a P-position")
    if misere:
        has_move = Message("every other position with a move has a move to a P-position")
        over = rules.without_move(rules.sure)
        yield empty(Message("under misère play no position without a move is a P-position"), inside & over)
        # Under misère play a position without moves is an N-position, and needs no option in the set: remove it.
        # ``rules.moves`` has all moves that may exist, so only positions that certainly have no move are removed.
        others = others.minus(rules.without_move(rules.moves))
    # Under misère play, q may be an N-position without a move: then the pair (p, q) proves nothing about p.
    unsure = p_set | rules.stuck(rules.positions, rules.positions) if misere else p_set
    for _, move in rules.followed:
        others = others.minus(rules.before(move.minus(rules.moved(unsure))))
    yield empty(has_move, rules.stuck(others, p_set))


def _values(rules: _Rules, claimed: Automaton, misere: bool) -> Iterator[Decided]:
    """Yield the statements that prove that ``claimed`` is the set of all positions with their values."""
    _refuse_followed(rules)
    inside = claimed & rules.positions
    some, one = Message("every position has a value"), Message("no position has two values")
    yield from _one_each(rules.positions, inside, some, one)
    for text, move in rules.moves:
        same = inside & move & rules.moved(claimed)
        yield empty(Message("no move leads to a position of the same value: {condition}", text), same)
    reached = Message("every number below the value of a position is the value of an option")
    if misere:
        reached = Message("every number below the value of a position with a move is the value of an option")
        over = rules.without_move(rules.sure)
        other = (inside & over).minus(linear(claimed.numeration, {VALUE: 1}, -1, {0}))
        yield empty(Message("under misère play the value of a position without a move is 1"), other)
        inside = inside.minus(rules.without_move(rules.moves))
    yield empty(reached, rules.stuck(_below(inside), claimed))


def _refuse_followed(rules: _Rules) -> None:
    if rules.followed:
        raise ParameterError(
            "a law of values or moves cannot be proved if the rules say that a position has all options of another "
            "position"
        )


def lowering_weights(game: DeclaredMoves) -> DeclaredMoves | None:
    """Return the game with the simplest weights, up to 3, such that every move lowers the weighted total, or None.

    >>> lowering_weights(DeclaredMoves(("a", "b"), ("a' < a and b' - b = 2*(a - a')", "b' < b and a' = a"))).weights
    (3, 1)
    """
    rules, tuples = _Rules(game, numeration_of("base 2")), product(range(_HEAVIEST + 1), repeat=len(game.names))
    for weights in sorted(tuples, key=lambda weights: (0 in weights, sum(weights), weights)):
        if any(weights) and all(each.example is None for each in rules.ends(weights)):
            return replace(game, weights=weights)
    return None


class _Rules:
    """The positions and the moves of a game as automata, made from its declared moves."""

    def __init__(self, game: DeclaredMoves, numeration: Numeration, sure: Sequence[str] = ()) -> None:
        self.primes = {name: after(name) for name in game.names}
        self.positions = set_of(numeration, game.positions, game.names)
        both = (*game.names, *self.primes.values())
        # A statement may be true for tuples that are not positions. Only pairs of positions are moves.
        between = self.positions & self.moved(self.positions)
        self.moves, some, self.followed = (
            [(text, set_of(numeration, text, both) & between) for text in texts]
            for texts in (game.moves, sure, game.followed)
        )
        self.sure = some or self.moves

    def ends(self, weights: Iterable[int]) -> Iterator[Decided]:
        """Yield the statements that prove that play ends: moves lower the weighted total, which is never negative."""
        numeration, before = self.positions.numeration, dict(zip(self.primes, weights, strict=True))
        if min(before.values()) < 0:
            below = self.positions & linear(numeration, before, 0, {-1})
            yield empty(Message("the weighted total of a position's numbers is never negative"), below)
        both = before | {self.primes[name]: -weight for name, weight in before.items()}
        lower = linear(numeration, both, 0, {1})
        for text, move in self.moves:
            yield empty(Message("a move lowers the total: {text}", text), move.minus(lower))
        for text, move in self.followed:
            larger = Message("if a position has all options of another one, its total is larger: {condition}", text)
            yield empty(larger, move.minus(lower))

    def moved(self, positions: Automaton) -> Automaton:
        """Return a set of positions as a condition on the position after a move, with a' in place of each number a."""
        return positions.renamed(self.primes)

    def stuck(self, positions: Automaton, goal: Automaton) -> Automaton:
        """Return the ``positions`` from which no move that certainly exists (``self.sure``) leads into ``goal``."""
        for _, move in self.sure:
            positions = positions.minus(self.before(move & self.moved(goal)))
        return positions

    def before(self, moves: Automaton) -> Automaton:
        """Return the positions from which at least one move in the set ``moves`` starts."""
        return moves.without(*self.primes.values())

    def without_move(self, moves: list[tuple[str, Automaton]]) -> Automaton:
        """Return the positions p that have no move in ``moves``, and no pair (p, q) in ``self.followed``."""
        over = self.positions
        for _, move in moves + self.followed:
            over = over.minus(self.before(move))
        return over


def decide_pairs(pairs: Automaton, width: int) -> Iterator[Decided]:
    """Yield the statements that prove that ``pairs`` is the set of P-positions of r-Wythoff, where r is ``width``.

    These are the pairs (floor(k alpha), floor(k alpha) + k r) for k = 0, 1, 2, ..., in both orders, where
    alpha = (2 - r + sqrt(r**2 + 4))/2. The statements:

    * The difference of each pair is one of 0, r, 2 r, ..., and each of these is the difference of exactly one pair.
    * The larger the difference of a pair, the larger its smaller number.
    * Each number from 1 on is in exactly one pair.

    So, in the order of the differences, the smaller number of each pair is the least number that no earlier pair
    contains. There is only one such sequence. The pairs of floors are such a sequence by Beatty's theorem, because
    1/alpha + 1/(alpha + r) = 1.
    """
    a, b = pairs.tracks
    as_xy = pairs.renamed({a: "x", b: "y"})
    pair = as_xy & _of(pairs, ("x", "y"), "x <= y")
    later = pair.renamed({"x": "z", "y": "w"})
    both = pair & later
    every = _of(pairs, ("k",), "True")
    swapped = as_xy.renamed({"x": "y", "y": "x"})
    yield Decided(Message("a pair of numbers is a P-position in both orders or in neither"), as_xy.differing(swapped))
    multiple = _of(pairs, ("x", "y"), f"(y - x) % {width} = 0")
    yield empty(Message("the difference of every pair is a multiple of {width}", width), pair.minus(multiple))
    reached = (pair & _of(pairs, ("k", "x", "y"), f"y = x + {width}*k")).without("x", "y")
    yield empty(Message("every multiple of {width} is the difference of a pair", width), every.minus(reached))
    # There must not be two pairs (x, y) and (z, w) with y - x < w - z and x >= z.
    falls = _of(pairs, ("w", "x", "y", "z"), "y - x < w - z and x >= z")
    yield empty(Message("the larger the difference of a pair, the larger its smaller number"), both & falls)
    twice = _of(pairs, ("w", "x", "y", "z"), "y - x = w - z and x != z")
    yield empty(Message("no two pairs have the same difference"), both & twice)
    members = pair.without("y").renamed({"x": "k"}) | pair.without("x").renamed({"y": "k"})
    yield empty(Message("every number is in some pair"), every.minus(members))
    shared = _of(pairs, ("w", "x", "y", "z"), "y = z and y > 0")
    yield empty(Message("no number is the larger number of one pair and the smaller number of another"), both & shared)


def pairs_text(width: int, names: Sequence[str]) -> str:
    """Return the statement that the numbers ``names`` are a pair of :func:`decide_pairs` with this width.

    The pairs are the P-positions of r-Wythoff, where r is the width.

    >>> pairs_text(3, ("a", "b"))
    'abs(a - b) % 3 = 0 and min(a, b) = floor(abs(a - b)*(sqrt(13) - 1)/6)'
    """
    a, b = names
    if width == 1:
        return f"min({a}, {b}) = floor(abs({a} - {b})*phi)"
    half, odd = divmod(width, 2)
    less, square, by = (width - 2, width * width + 4, 2 * width) if odd else (half - 1, half * half + 1, width)
    slope = f"(sqrt({square}) - {less})" if less else f"sqrt({square})"
    return f"abs({a} - {b}) % {width} = 0 and min({a}, {b}) = floor(abs({a} - {b})*{slope}/{by})"


def period_set(certificate: PeriodCertificate, about: str, name: str) -> Automaton:
    """Return the P-positions of heaps with a proved period; if ``about`` is "values", all heaps with their values."""
    start, period, saltus = certificate.preperiod, certificate.period, certificate.saltus
    # If the heap grows by the period, the value grows by the saltus. So period * value - saltus * heap does not change.
    # All points (heap, value) that share this number lie on one line. The heap and its line determine the value.
    lines = period * np.array(certificate.values, object) - saltus * np.arange(start + period)
    # For each line an automaton recognises its heaps. A state is the number read so far; numbers from the preperiod on
    # are reduced by multiples of the period.
    ends = np.arange(2 * (start + period)).reshape(-1, 2)
    table = np.where(ends < start, ends, start + (ends - start) % period).astype(np.int32)
    base, common = numeration_of("base 2"), gcd(period, saltus)
    positions = binary_set("False", name, VALUE)
    for line in set(lines):
        heaps = Automaton(base, (name,), table, lines == line).minimal()
        positions |= heaps & linear(base, {VALUE: period // common, name: -saltus // common}, -line // common, {0})
    return positions if about == "values" else (positions & binary_set(f"{VALUE} = 0", VALUE)).without(VALUE)


def _of(like: Automaton, names: tuple[str, ...], text: str) -> Automaton:
    return set_of(like.numeration, text, names)


def decide_coins(
    turns: DeclaredTurns, formula: str | None, prefix: str | None = None, p_formula: str | None = None
) -> Iterator[Decided]:
    """Yield the statements that prove that single heads at the places n = 1, 2, 3, ... have the claimed values.

    Parameters
    ----------
    turns : DeclaredTurns
    formula : str or None
        A formula for the value of a head at place n. None raises ParameterError.
    prefix : str, optional
        A formula for the xor of the values at places 1 to n. It must be given if the turns contain runs of
        neighbouring coins, and only then; otherwise ParameterError is raised.
    p_formula : str, optional
        A statement about n. If it is given, another statement says that it is true exactly for the heads of value 0.
    """
    if not isinstance(formula, str) or not (isinstance(prefix, str) if turns.runs else prefix is None):
        raise ParameterError(
            'a law of coins needs a formula "values" in the file; it needs a formula "prefix" if the turns contain '
            "runs of neighbouring coins, and otherwise must not have one"
        )
    heads = binary_set("n >= 1", "n", "value")
    values = heads & binary_set(f"value = (({formula}) if n >= 1 else 0)", "n", "value")
    some, one = Message("every coin has a value"), Message("no coin has two values")
    yield from _one_each(binary_set("n >= 1", "n"), values, some, one)
    # ``left`` will contain a pair (n, value) for each move that turns the head at n: the value is that of the position
    # after the move. The move also turns other coins. The value is the xor of the values of heads at their places.
    left = binary_set("False", "n", "value")
    for names, text in turns.sets:
        others = binary_set(" and ".join([f"({text})", "n >= 1", *(f"{name} >= 1" for name in names)]), *names, "n")
        before = binary_set(" and ".join(f"{name} < n" for name in names) or "True", *names, "n")
        later = others.minus(before)
        yield empty(Message("all other coins of a turn lie before its last coin: {condition}", text), later)
        for name, track in zip(names, "xy", strict=False):
            others = (others & values.renamed({"n": name, "value": track})).without(name)
        left = left | _xored(others, "xy"[: len(names)])
    if turns.runs:
        rows = binary_set(f"value = ({prefix})", "n", "value")
        yield from _rows(rows, values)
        runs = binary_set(f"0 < a and a <= n and ({turns.runs})", "a", "n")
        # A run turns the coins a to n. The xor of the values of a to n - 1 is prefix(a - 1) xor prefix(n - 1).
        ends = (runs & binary_set("m = a - 1 and k = n - 1", "a", "k", "m", "n")).without("a")
        both = ends & rows.renamed({"n": "k", "value": "x"}) & rows.renamed({"n": "m", "value": "y"})
        left = left | _xored(both.without("k", "m"), "xy")
    yield empty(Message("no turn leaves coins whose nim-sum is the value of the turned head"), values & left)
    wanted = Message("for every number below the value of a head, some turn leaves coins with this nim-sum")
    yield empty(wanted, _below(values).minus(left))
    if p_formula is not None:
        zero = (values & binary_set("value = 0", "n", "value")).without("value")
        claimed = binary_set(f"n >= 1 and ({p_formula})", "n")
        yield Decided(Message("the law names exactly the coins of value 0"), zero.differing(claimed))


def _one_each(numbers: Automaton, values: Automaton, some: str, one: str) -> Iterator[Decided]:
    """Yield two statements, with texts ``some`` and ``one``: each tuple of ``numbers`` has a value; none has two."""
    yield empty(some, numbers.minus(values.without(VALUE)))
    yield empty(one, _with_smaller(values) & values.renamed({VALUE: _OTHER}))


def _with_smaller(values: Automaton) -> Automaton:
    """Return all (tuple, value, other) for which (tuple, value) is in ``values`` and ``other`` is below the value."""
    return values & linear(values.numeration, {_OTHER: 1, VALUE: -1}, 0, {-1})


def _below(values: Automaton) -> Automaton:
    """Return all (tuple, number) for which the number is below a value that the tuple has in ``values``."""
    return _with_smaller(values).without(VALUE).renamed({_OTHER: VALUE})


def _rows(rows: Automaton, values: Automaton) -> Iterator[Decided]:
    """Yield the statements that prove by induction that ``rows`` has, for each n, the xor of the values at 1 to n."""
    some = Message("for every n the formula for the xor of the first n values gives a number")
    one = Message("the formula for the xor of the first n values gives at most one number for each n")
    yield from _one_each(binary_set("n >= 0", "n"), rows, some, one)
    zero = binary_set("n = 0 and value = 0", "n", "value")
    yield empty(Message("the formula for the xor of the first n values gives 0 for n = 0"), zero.minus(rows))
    shorter = rows.renamed({"n": "k", "value": "x"}) & binary_set("n = k + 1", "k", "n")
    grown = shorter.without("k") & values.renamed({"value": "y"})
    step = Message("if the formula for the xor of the first n values is right for n, it is right for n + 1")
    yield empty(step, _xored(grown, "xy").minus(rows))


def _xored(relation: Automaton, tracks: str) -> Automaton:
    """Return the set ``relation`` with some tracks replaced by one track ``value``, the xor of their numbers.

    The letters of ``tracks`` are the names of these tracks.
    """
    return (relation & binary_set(f"value = {' ^ '.join(tracks) or '0'}", *tracks, "value")).without(*tracks)


def is_divided(formula: str | None) -> bool:
    """Return whether a formula has a remainder whose divisor is not an unsigned number such as 4; False for None.

    >>> is_divided("n % (k + 1) = 0"), is_divided("n % 4 = 0"), is_divided(None)
    (True, False, False)
    """
    return formula is not None and _remainder(parsed(formula)) is not None


def decide_divided(game: DeclaredMoves, law: Mapping[str, Any]) -> Iterator[Decided]:
    """Yield the statements that prove a law whose formula has a remainder modulo a term, such as n % (k + 1).

    Automata cannot divide by a number that varies, such as d = k + 1. So the first statements say that no move changes
    d. The others have m + r in place of n, where m is a multiple of d and 0 <= r < d; the remainder is r. Automata
    cannot state that m is a multiple of d, so the statements use only two consequences of this:

    - The multiples before and after a move are equal or differ by at least d.
    - m, m - d and 0 are multiples of d. So the proof may use moves that lead to these, if the game has them.

    Raises
    ------
    ParameterError
        There is no such remainder, or its left side is not a single number of the position. Or a position also has the
        options of other positions (``game.followed``), or moves depend on earlier moves (``game.starts``).
    """
    formula = parsed(renamed(law["formula"], dict(zip(law["names"], game.names, strict=True))))
    remainder = _remainder(formula)
    if remainder is None or not isinstance(remainder.left, ast.Name) or remainder.left.id not in game.names:
        raise ParameterError(
            "a law with a remainder modulo a term can be proved only if a single letter stands before the %, as in "
            "n % (k + 1)"
        )
    number, divisor = remainder.left.id, ast.unparse(remainder.right)
    fixed = sorted({each.id for each in ast.walk(remainder.right) if isinstance(each, ast.Name)})
    multiple, rest = [letter for letter in "mrqtuvwyz" if letter not in game.names][:2]
    primes = tuple(f"{name}_" for name in game.names)
    positions = binary_set(f"({game.positions}) and ({divisor}) < 1", *game.names)
    yield empty(Message("the divisor {divisor} is at least 1", divisor), positions)
    for move in (*game.moves, *game.followed):
        changed = " or ".join(f"{name}_ != {name}" for name in fixed)
        some = binary_set(f"({move}) and ({changed})", *game.names, *primes)
        yield empty(Message("the move {condition} leaves {names} unchanged", move, ", ".join(fixed)), some)

    # Replace n by m + r before the move and by m' + r' after it, and the remainder by r.
    written: dict[str, ast.expr] = {ast.unparse(remainder): ast.Name(rest)}
    for prime in ("", "_"):
        written[number + prime] = ast.BinOp(ast.Name(multiple + prime), ast.Add(), ast.Name(rest + prime))
    in_two_numbers = _Replaced(written)

    def text(statement: str | ast.expr) -> str:
        tree = parsed(statement) if isinstance(statement, str) else statement
        return f"({as_written(ast.unparse(in_two_numbers.visit(tree)))})"

    m, end, by = multiple, f"{multiple}'", f"({divisor})"
    apart = f"({end} = {m} or {end} >= {m} + {by} or {m} >= {end} + {by})"
    to_a_multiple = f"({end} = {m} or {end} + {by} = {m} or {end} = 0)"
    where = f"{text(game.positions)} and {rest} < {by}"
    weights = dict(zip(game.names, game.weights, strict=True))
    weights[multiple] = weights[rest] = weights.pop(number)
    if game.followed or game.starts:
        raise ParameterError(
            "a law with a remainder modulo a term, as in n % (k + 1), cannot be proved for games in which a position "
            "has all options of another position, as in Euclid, or in which moves depend on earlier moves"
        )
    moves = [text(move) for move in game.moves]
    split = DeclaredMoves(tuple(weights), tuple(f"{move} and {apart}" for move in moves), where, (*weights.values(),))
    claim = formula_set(text(formula), weights, law["about"] == "P-positions")
    # A number m with 0 < m < divisor is no multiple of the divisor, so no position of the game has it. ``sure`` lists
    # the moves that certainly exist. Its last statement counts every move from such an m as one of them. Otherwise the
    # proof would have to show that a move exists there.
    sure = (*(f"{move} and {to_a_multiple}" for move in moves), f"0 < {m} and {m} < {by}")
    yield from decide_induction(split, claim, law["play"] == "misere", sure)


def _remainder(tree: ast.expr) -> ast.BinOp | None:
    """Return the first operation %, breadth first, whose divisor is not a number; None if the tree has none."""
    for each in ast.walk(tree):
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Mod) and not isinstance(each.right, ast.Constant):
            return each
    return None


class _Replaced(ast.NodeTransformer):
    """Replaces each expression whose text is a key of ``terms`` by the tree for this key; does not search that tree."""

    def __init__(self, terms: Mapping[str, ast.expr]) -> None:
        self._terms = terms

    def visit(self, node: ast.AST) -> Any:  # noqa: ANN401
        """Return the tree with the terms replaced."""
        term = self._terms.get(ast.unparse(node)) if isinstance(node, ast.expr) else None
        return super().visit(node) if term is None else term
