"""Files of laws with their proofs, and the check of all that they claim."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, product
from typing import Any, NamedTuple

from graphgame.errors import LimitError, Message, OptionError
from graphgame.io.files import PathLike, Source
from graphgame.io.records import LAWS, fits, natural, whole_value
from graphgame.labs.heaps.heapgame import HeapGame
from graphgame.labs.heaps.periods import PeriodCertificate
from graphgame.labs.laws.automata import Automaton, recorded
from graphgame.labs.laws.coin_claims import CoinClaim, decide_coins
from graphgame.labs.laws.declared_options import (
    Cells,
    differing_by_statements,
    differing_turn,
    moves_of_text,
    whole_cells,
    with_place,
)
from graphgame.labs.laws.divided_claims import decide_divided, is_divided
from graphgame.labs.laws.law import Law, law_text
from graphgame.labs.laws.law_claims import (
    Decided,
    claimed_set,
    decide_induction,
    decide_pairs,
    decide_recurrence,
    decide_winning,
    is_recurrence,
    named_by_text,
    period_set,
    width_of_pairs,
)
from graphgame.labs.laws.law_sums import parts_with_names
from graphgame.labs.laws.law_texts import cells_of, free_moves, heap_game, names_in, with_numbers
from graphgame.labs.laws.row_claims import decide_rows, row_fault
from graphgame.labs.laws.statements import binary_set
from graphgame.labs.misere.checking import find_fault
from graphgame.labs.misere.quotient import quotient_of_record
from graphgame.labs.misere.solver import heap_graph
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.notation import parse_position
from graphgame.rules.user_rules import rules_run

_FORMAT = {"format": LAWS.format, "version": 1}
_SHAPE: dict[str, Any] = {
    "about": ("values", "P-positions", "rows", "winning moves", "a winning move"),
    "play": ("normal", "misere"),
    "names": [str],
    "text": str,
    "formula": (str, None),
    "status": ("proved", "holds"),
    "proof": (str, None),
    "positions": natural,
    "largest": [natural],
}
_OPTIONAL = {
    "rows": dict,
    "turns": dict,
    "automaton": dict,
    "period": dict,
    "quotient": dict,
    "moves": dict,
    "whole": dict,
    "steps": [str],
    "parts": [{"source": str, "law": dict}],
    "rival": {"formula": str, "position": [natural]},
}
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
            return Message("refused: {law}: {fault}", self.text, self.fault)
        return (
            Message("right: {law}: {grounds}", self.text, self.grounds)
            if self.grounds
            else Message("not claimed to be proved: {text}", self.text)
        )


def laws_record(source: str, laws: Sequence[Law]) -> dict[str, object]:
    """Return laws with their proofs as an object of JSON; :func:`check_laws` checks a file of it."""
    return {**_FORMAT, "source": source, "laws": [law.record() for law in laws]}


def check_laws(path: PathLike, *, run_rules: bool = False) -> Iterator[CheckedLaw]:
    """Yield for each law of a file whether it is right, decided anew by code that takes nothing from the finder.

    With ``run_rules`` the Python file whose rules the laws are about is run: see :func:`parse_position`.

    Raises
    ------
    ParseError
        The file holds no laws, or names no game.
    RulesetError
        The laws are about rules in a Python file, and ``run_rules`` is false.
    OSError
        The file cannot be read.
    """
    text, laws = _read_laws(path)
    with rules_run(run_rules):
        game = _game(text)
    for law in laws:
        with rules_run(run_rules):  # not around the yield, which would allow it in the caller too
            checked = _checked_or_refused(game, law)
        yield checked


def law_source(path: PathLike) -> str:
    """Return what the laws of a file are about: a position with names for its numbers, or moves."""
    return _read_laws(path)[0]


def _read_laws(path: PathLike) -> tuple[str, list[dict[str, Any]]]:
    with Source(path) as source:
        found = whole_value(source)
        whole = isinstance(found, dict) and found.keys() == {*_FORMAT, "source", "laws"}
        if not whole or not fits({name: found[name] for name in _FORMAT}, _FORMAT):
            raise source.error("no laws: expected what graphgame law -o writes, version 1")
        laws = found["laws"]
        if not isinstance(found["source"], str) or not isinstance(laws, list) or not all(map(_is_law, laws)):
            raise source.error("laws that lack a part: expected what graphgame law -o writes")
    return found["source"], laws


def _checked_or_refused(game: _Game, law: dict[str, Any]) -> CheckedLaw:
    try:
        return _checked(game, law)
    except (LimitError, OptionError) as error:
        return CheckedLaw(law_text(law), str(error), "")


def _is_law(law: object) -> bool:
    if not isinstance(law, dict):
        return False
    shape = _SHAPE | {name: _OPTIONAL[name] for name in law if name in _OPTIONAL}
    return fits(law, shape)


class _Game(NamedTuple):
    text: str
    names: tuple[str, ...]
    moves: DeclaredMoves | None
    cells: Cells


def _game(text: str) -> _Game:
    """Return what a source says of itself: the names, the moves, and small positions unless it is moves alone."""
    if "'" in text:
        moves = moves_of_text(text)
        return _Game(text, moves.names, moves, {})
    names = names_in(text)
    cells = cells_of(text, names, product(range(_COMPARED[len(names)]), repeat=len(names)))
    return _Game(text, names, free_moves(text, next(iter(cells.values()))), cells)


def _checked(game: _Game, law: dict[str, Any]) -> CheckedLaw:
    (text, names, moves, cells), said = game, law_text(law)
    if law["text"] != said:
        return CheckedLaw(law["text"], Message("it is {fault}", said), "")
    if tuple(law["names"]) != names:
        return CheckedLaw(said, Message("the names of {text} are {names}", text, ", ".join(names)), "")
    if law["status"] != "proved":
        return CheckedLaw(said, None, "")
    if law.get("parts"):
        return CheckedLaw(said, None, _decided_parts(game, law))
    if "turns" in law:
        return CheckedLaw(said, None, _decided_coins(cells, law))
    if "moves" not in law:
        return CheckedLaw(said, None, (_check_quotient if "quotient" in law else _check_period)(cells, law))
    if moves is None or json.loads(json.dumps(asdict(moves))) != law["moves"]:
        return CheckedLaw(said, Message("its moves are not those that {text} declares", text), "")
    compared = _compared(moves, whole_cells(moves, cells)) if cells else ""
    return CheckedLaw(said, None, _decided(moves, law) + compared)


def _decided_parts(game: _Game, law: dict[str, Any]) -> str:
    """Return in words that the laws of the parts of a sum are right; raise an OptionError where one is not."""
    parts, apart = law["parts"], parts_with_names(game.text, game.names)
    if [part["source"] for part in parts] != [text for text, _ in apart]:
        raise OptionError("these are not the parts of {text}", game.text)
    if law["play"] != "normal" or law["formula"] is not None or law["about"] not in ("values", "P-positions"):
        raise OptionError("parts are the proof of values and P-positions of normal play, with no formula")
    for text, part in ((each["source"], each["law"]) for each in parts):
        if not _is_law(part) or (part["about"], part["play"], part["status"]) != ("values", "normal", "proved"):
            raise OptionError("no law of the values of {text} that is proved", text)
        checked = _checked(_game(text), part)
        if checked.fault is not None:
            raise OptionError("{text}: {fault}", text, checked.fault)
    for numbers, cell in game.cells.items():
        given = dict(zip(game.names, numbers, strict=True))
        alone = (with_numbers(text, names, tuple(map(given.__getitem__, names))) for text, names in apart)
        components = chain.from_iterable(parse_position(text).components for text in alone)
        if [*map(str, cell)] != [*map(str, components)]:
            raise OptionError("these are not the parts of {text}", with_numbers(game.text, game.names, numbers))
    return Message("the laws of {count} parts are right", len(parts))


def _compared(moves: DeclaredMoves, cells: Cells) -> str:
    """Return in words of how many positions the moves are the options; raise an OptionError where they are not."""
    differing, compared = differing_by_statements(moves, cells)
    if differing is not None:
        raise OptionError("the moves are not the options at {differing}", differing)
    return Message("; the moves are the options of {compared} positions", compared)


def _decided(moves: DeclaredMoves, law: dict[str, Any]) -> str:
    """Return in words how many statements hold; raise an OptionError where one is false."""
    if law["about"] == "rows":
        return _decided_rows(moves, law)
    misere = law["play"] == "misere"
    if law["about"].endswith(("move", "moves")):
        lost = recorded(law.get("whole", {}), tuple(sorted(moves.names)))
        return _all_hold([*decide_induction(moves, lost, misere), *decide_winning(moves, lost, law)])
    if is_divided(law["formula"]):
        return _all_hold(decide_divided(moves, law))
    claimed = claimed_set(law)
    if moves.starts:
        value = ["value"] if law["about"] == "values" else []
        whole = recorded(law.get("whole", {}), tuple(sorted((*moves.names, *value))))
        named, every = (named_by_text(moves, law["names"], whole, each) for each in (False, True))
        _equal(claimed & every, named, Message("the law is not what is proved of all positions"))
    else:
        whole = claimed.renamed(dict(zip(law["names"], moves.names, strict=True)))
    statements = list(decide_induction(moves, whole, misere))
    if width := width_of_pairs(law):
        statements += decide_pairs(claimed, width)
    if is_recurrence(law):
        statements += decide_recurrence(claimed, law["formula"])
    return _all_hold(statements)


def _all_hold(statements: Iterable[Decided]) -> str:
    count = 0
    for statement in statements:
        if statement.example is not None:
            at = ", ".join(f"{name} = {number}" for name, number in statement.example.items())
            raise OptionError("it is false that {text}: {at}", statement.text, at.replace("_ =", "' ="))
        count += 1
    return Message("{count} statements hold of all numbers", count)


def _decided_rows(moves: DeclaredMoves, law: dict[str, Any]) -> str:
    claim = law.get("rows", {})
    if law["play"] != "normal":
        raise OptionError("rows are not checked under misère play")
    held = _all_hold(decide_rows(moves, claim))
    if (fault := row_fault(moves, claim)) is not None:
        raise OptionError(fault)
    return Message("{grounds}; the state of {count} rows comes round", held, len(claim["rows"]))


def _decided_coins(cells: Cells, law: dict[str, Any]) -> str:
    claim, name = law["turns"], law["names"][0]
    rules = next(iter(cells.values()))[0].ruleset if cells and law["play"] == "normal" else None
    turns = None if rules is None else rules.declared_turns()
    if rules is None or turns is None or law["formula"] is None or len(law["names"]) > 1:
        raise OptionError("it is about no row of coins whose turns are declared")
    if [list(each) for each in turns.sets] != claim.get("sets") or turns.runs != claim.get("runs"):
        raise OptionError("its turns are not those that the rules declare")
    heads = all(len(cell) == 1 and cell[0].position == "t" * (n - 1) + "h" for (n,), cell in cells.items())
    if not heads:
        raise OptionError("its number is not the place of a single head")
    formula = with_place(law["formula"], name)
    lost = formula if law["about"] == "P-positions" else None
    if lost is None and formula != claim.get("values"):
        raise OptionError("the formula is not what is proved of the coins")

    sets = {each: _turned(each) for each in (*turns.sets, ("a", turns.runs or "True"))}
    differing = differing_turn(rules, turns, lambda each, given: bool(sets[each].contains(**given)))
    if differing is not None:
        raise OptionError("the turns are not the options at {differing}", differing)
    claimed = CoinClaim(turns, claim.get("values"), claim.get("prefix"))
    return Message("{turns}; the turns are the options of small rows", _all_hold(decide_coins(claimed, lost)))


def _turned(turn: tuple[str, str]) -> Automaton:
    return binary_set(turn[1], *turn[0], "n")


def _equal(claimed: Automaton, truth: Automaton, otherwise: str) -> None:
    apart = claimed.differing(truth)
    if apart is not None:
        raise OptionError(
            "{otherwise}, at {name}", otherwise, ", ".join(f"{name} = {number}" for name, number in apart.items())
        )


def _check_period(cells: Cells, law: dict[str, Any]) -> str:
    rules, certificate = _period_of(cells, law, "normal")
    fault = rules.fault(certificate)
    if fault is not None:
        raise OptionError(fault)
    _check_formula(law)
    return Message("the period was tried with every move to n = {last_heap}", certificate.last_heap)


def _check_quotient(cells: Cells, law: dict[str, Any]) -> str:
    """Return in words what was decided of a misère quotient, and of the elements that repeat in it."""
    rules, certificate = _period_of(cells, law, "misere")
    quotient, start, period = quotient_of_record(law["quotient"]), certificate.preperiod, certificate.period
    theorem, images = rules.rules.theorem, quotient.images
    if law["about"] != "P-positions" or certificate.saltus or theorem is None or theorem.last_heap is None:
        raise OptionError("no theorem here proves it by a misère quotient")
    needed = theorem.last_heap(start, period)
    last_heap = len(images) - 1
    if needed > last_heap or quotient.labels != list(range(len(images))):
        raise OptionError("the proof needs the heaps up to {needed}, not to {last_heap}", needed, last_heap)
    fault = find_fault(quotient, heap_graph(rules, last_heap))
    if fault is not None:
        raise OptionError("its misère quotient is wrong: {fault}", fault)
    if images[start + period : needed + 1] != images[start : needed + 1 - period]:
        raise OptionError(
            "the elements of the quotient do not repeat with period {period} from n = {start}", period, start
        )
    shown = images[: start + period]
    if len(law["names"]) > 1:
        if law["formula"] is not None or list(certificate.values) != shown:
            raise OptionError("the elements of the period are not those of the quotient")
    elif certificate.values != tuple(int(not quotient.lost[element]) for element in shown):
        raise OptionError("the outcomes of the period are not those of the quotient")
    _check_formula(law)
    return Message("the misère quotient was tried with every move to n = {needed}", needed)


def _period_of(cells: Cells, law: dict[str, Any], play: str) -> tuple[HeapGame, PeriodCertificate]:
    """Return the game of which a law is the period, and that."""
    rules = heap_game(cells) if play == "misere" or len(law["names"]) == 1 else None
    certificate = PeriodCertificate.of_record(law.get("period"))
    if certificate is None or rules is None or law["play"] != play:
        raise OptionError("it has neither moves nor a period as its proof")
    return rules, certificate


def _check_formula(law: dict[str, Any]) -> None:
    """Refuse a formula that is not what the period of a law says."""
    if law["formula"] is not None:
        truth = period_set(law["period"], law["about"], law["names"][0])
        _equal(claimed_set(law), truth, Message("the formula is not what the period says"))
