"""Files of laws with their proofs, and the check of all that they claim."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

from graphgame.errors import LimitError, OptionError
from graphgame.games.law_tables import Cells, cells_of, differing_move, free_moves, names_in
from graphgame.heaps.heapgame import HeapGame
from graphgame.heaps.periods import PeriodCertificate
from graphgame.io.files import PathLike, Source
from graphgame.io.jsontext import whole_value
from graphgame.io.records import fits, natural
from graphgame.proof.digit_sets import DigitSystem
from graphgame.proof.law_claims import claimed_set, decide_induction, decide_pairs, period_set, width_of_pairs
from graphgame.proof.statements import StatementReader
from graphgame.theory.laws.law import Law

__all__ = ["CheckedLaw", "check_laws", "is_law_file", "laws_record"]

_FORMAT = {"format": "graphgame laws", "version": 1}
_SHAPE: dict[str, Any] = {
    "about": ("values", "P-positions"),
    "names": [str],
    "text": str,
    "formula": (str, None),
    "status": ("proved", "holds"),
    "proof": (str, None),
    "positions": natural,
    "largest": [natural],
}
_OPTIONAL = {"automaton": dict, "period": dict, "moves": dict, "steps": [str]}
_COMPARED = {1: 102, 2: 15, 3: 9, 4: 6}
"""Number of names -> how many numbers of each the declared moves are compared with the options for."""


@dataclass(frozen=True)
class CheckedLaw:
    """What a check says of a law.

    Attributes
    ----------
    text : str
        The law.
    fault : str or None
        What is wrong with it, or with its proof; None if nothing is.
    grounds : str
        What was decided; empty for a law that is not claimed to be proved, of which nothing is checked.
    """

    text: str
    fault: str | None
    grounds: str

    def __str__(self) -> str:
        if self.fault is not None:
            return f"refused: {self.text}: {self.fault}"
        return f"right: {self.text}: {self.grounds}" if self.grounds else f"not claimed to be proved: {self.text}"


def laws_record(source: str, laws: Sequence[Law]) -> dict[str, object]:
    """Return laws with their proofs as an object of JSON; :func:`check_laws` checks a file of it."""
    return {**_FORMAT, "source": source, "laws": [law.record() for law in laws]}


def is_law_file(path: PathLike) -> bool:
    """Tell whether a file begins as that of :func:`laws_record`."""
    start = json.dumps(_FORMAT)[:-1].encode()
    with Source(path) as source:
        return source.peek(len(start)).startswith(start)


def check_laws(path: PathLike) -> Iterator[CheckedLaw]:
    """Yield for each law of a file whether it is right, decided anew by code that shares nothing with the finder.

    Raises
    ------
    ParseError
        The file holds no laws, or names no game.
    OSError
        The file cannot be read.
    """
    with Source(path) as source:
        found = whole_value(source)
        whole = isinstance(found, dict) and found.keys() == {*_FORMAT, "source", "laws"}
        if not whole or not fits({name: found[name] for name in _FORMAT}, _FORMAT):
            raise source.error("no laws: expected what graphgame law -o writes, version 1")
        laws = found["laws"]
        if not isinstance(found["source"], str) or not isinstance(laws, list) or not all(map(_is_law, laws)):
            raise source.error("laws that lack a part: expected what graphgame law -o writes")
    text = found["source"]
    names = names_in(text)
    cells = cells_of(text, names, product(range(_COMPARED[len(names)]), repeat=len(names)))
    for law in laws:
        try:
            yield _checked(text, names, cells, law)
        except (LimitError, OptionError) as error:
            yield CheckedLaw(_said(law), str(error), "")


def _is_law(law: object) -> bool:
    if not isinstance(law, dict):
        return False
    shape = _SHAPE | {name: _OPTIONAL[name] for name in law if name in _OPTIONAL}
    return fits(law, shape)


def _checked(text: str, names: tuple[str, ...], cells: Cells, law: dict[str, Any]) -> CheckedLaw:
    said = _said(law)
    if law["text"] != said:
        return CheckedLaw(law["text"], f"it is {said}", "")
    if tuple(law["names"]) != names:
        return CheckedLaw(said, f"the names of {text} are {', '.join(names)}", "")
    if law["status"] != "proved":
        return CheckedLaw(said, None, "")
    grounds = _check_moves(text, cells, law) if "moves" in law else _check_period(cells, law)
    return CheckedLaw(said, None, grounds)


def _check_moves(text: str, cells: Cells, law: dict[str, Any]) -> str:
    """Return in words what was decided of the moves that a file has; raise an OptionError where something is wrong."""
    moves = free_moves(text, next(iter(cells.values())))
    if moves is None or json.loads(json.dumps(asdict(moves))) != law["moves"]:
        raise OptionError(f"its moves are not those that {text} declares")
    base = StatementReader(DigitSystem(base=2), moves.names)
    primes = tuple(f"{name}_" for name in moves.names)
    both = StatementReader(DigitSystem(base=2), (*moves.names, *primes))
    positions, allowed = base.set_of(moves.positions), [both.set_of(move) for move in moves.moves]

    def reached(start: tuple[int, ...], ends: list[tuple[int, ...]]) -> Iterable[tuple[int, ...]] | None:
        given = dict(zip(moves.names, start, strict=True))
        if not positions.has(**given):
            return None
        after = ((end, dict(zip(primes, end, strict=True))) for end in ends)
        return [end for end, numbers in after if any(move.has(**given, **numbers) for move in allowed)]

    differing, compared = differing_move(moves, cells, reached)
    if differing is not None:
        raise OptionError(f"the moves are not the options at {differing}")
    claimed = claimed_set(law)
    decided = 0
    statements = [decide_induction(moves, claimed.named(dict(zip(law["names"], moves.names, strict=True))))]
    if width := width_of_pairs(law):
        statements.append(decide_pairs(claimed, width))
    for each in statements:
        for statement in each:
            if statement.example is not None:
                at = ", ".join(f"{name} = {number}" for name, number in statement.example.items())
                raise OptionError(f"it is false that {statement.text}: {at.replace('_ =', chr(39) + ' =')}")
            decided += 1
    return f"{decided} statements hold of all numbers; the moves are the options of {compared} positions"


def _check_period(cells: Cells, law: dict[str, Any]) -> str:
    rules = next(iter(cells.values()))[0].ruleset
    certificate = PeriodCertificate.of_record(law.get("period"))
    if certificate is None or not isinstance(rules, HeapGame):
        raise OptionError("it has neither moves nor a period as its proof")
    fault = rules.fault(certificate)
    if fault is not None:
        raise OptionError(fault)
    if law["formula"] is not None:
        claimed, truth = claimed_set(law), period_set(law["period"], law["about"], law["names"][0])
        apart = (claimed.minus(truth) | truth.minus(claimed)).example()
        if apart is not None:
            raise OptionError(f"the formula is not what the period says at {apart}")
    return f"the period was tried with every move to n = {certificate.last_heap}"


def _said(law: dict[str, Any]) -> str:
    """Return a law in words, made of what is checked."""
    position, formula = ",".join(law["names"]), law["formula"]
    if formula is not None:
        return f"P-positions: {formula}" if law["about"] == "P-positions" else f"g({position}) = {formula}"
    period = law.get("period", {})
    if law["about"] == "P-positions" and not period:
        automaton = law.get("automaton", {})
        table = automaton.get("table")
        states = len(table) if isinstance(table, list) else 0
        return f"P-positions: an automaton of {states} states over {automaton.get('numeration')} digits"
    length, start, saltus = (period.get(name) for name in ("period", "preperiod", "saltus"))
    if law["about"] == "P-positions":
        return f"P-positions: where g({position}) = 0, period {length} for {position} >= {start}"
    return f"g({position} + {length}) = g({position}){f' + {saltus}' if saltus else ''} for {position} >= {start}"
