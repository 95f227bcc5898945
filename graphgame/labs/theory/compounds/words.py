"""Explanations of compounds: why the winner wins, and the rules as text."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import islice

from graphgame.errors import LimitError, Message
from graphgame.labs.theory.compounds.kinds import Operand, Places
from graphgame.labs.theory.compounds.rules import Compound
from graphgame.rules.component import Component
from graphgame.solution.results import Play
from graphgame.text.languages import LANGUAGES, lookup, render, translate
from graphgame.text.rules import RulesText
from graphgame.text.sentences import indented, sentence
from graphgame.text.text import (
    MOST_ROWS,
    ShownText,
    capped,
    outcome_word,
    perhaps_more,
    printable,
    table,
    verdict_text,
    wrapped,
)

_MOST_TRIED = 20_000

_HEADERS: dict[tuple[str, Play], str] = {
    ("remoteness", "normal"): Message("remoteness"),
    ("remoteness", "misere"): Message("misère remoteness"),
    ("suspense", "normal"): Message("suspense"),
    ("suspense", "misere"): Message("misère suspense"),
    ("outcome", "normal"): Message("outcome"),
    ("outcome", "misere"): Message("misère outcome"),
    ("value", "normal"): Message("value"),
}


def explain_compound(rules: Compound, position: Places, play: Play = "normal") -> ShownText:
    """Explain why the winner of a compound wins, with the winning moves.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> compound = parse_position("bash{2}(5) & bash{3}(8)").components[0]
    >>> print(explain_compound(compound.ruleset, compound.position))
    first player wins
    <BLANKLINE>
      component   remoteness
      bash{2}(5)           3
      bash{3}(8)           4
    <BLANKLINE>
    conjunctive: a move is made in every component, and the game is over when one component is. Even is P and
    odd is N, where the compound's remoteness is the components' least. Here that is 3.
    <BLANKLINE>
    winning moves:
      bash{2}(3) & bash{3}(5)
      bash{2}(3) & bash{3}(6)
      bash{2}(3) & bash{3}(7)
    """
    outcome = rules.kind.outcome(rules.operands, position, play)
    lines = [
        verdict_text("first" if outcome == "N" else "second", play),
        "",
    ]
    lines += [indented(line) for line in _components(rules, position, play)]
    lines += ["", *wrapped(_reason(rules, position, play))]
    return ShownText(lines if outcome == "P" else [*lines, "", *_winning_moves(rules, position, play)])


def _components(rules: Compound, position: Places, play: Play) -> list[str]:
    measure = rules.kind.measure
    columns: list[tuple[str, Play]] = [(measure, play)]
    if play == "misere" and measure in ("outcome", "value"):
        columns = [("outcome", "normal"), ("outcome", "misere")]
    rows = [
        [place, *(_known(operand, place, *column) for column in columns)]
        for operand, place in zip(rules.operands, position, strict=False)
    ]
    shown = table(
        [translate("component"), *(render(_HEADERS[column]) for column in columns)],
        rows[:MOST_ROWS],
        "l" + "r" * len(columns),
    )
    return capped(shown, len(rows) + 1, MOST_ROWS + 1)


def _known(operand: Operand, place: Hashable, what: str, play: Play) -> int | str:
    """Return the entry of a component in the column ``what``: its value, outcome, remoteness or suspense number."""
    if what == "value":
        return operand.grundy(place)
    return str(outcome_word(operand.outcome(place, play))) if what == "outcome" else operand.length(what, place, play)


def _reason(rules: Compound, position: Places, play: Play) -> str:
    kind = rules.kind
    theorem = render(kind.theorem[play])
    here = {"value": rules.closed_form(position) if play == "normal" else None, "outcome": None}
    number = here[kind.measure] if kind.measure in here else rules.length(position, play)
    law = translate(
        "{kind}: {rule}. {theorem}.",
        kind=render(kind.name),
        rule=render(kind.rule),
        theorem=theorem[0].upper() + theorem[1:],
    )
    return law if number is None else translate("{law} Here that is {number}.", law=law, number=number)


def _winning_moves(rules: Compound, position: Places, play: Play) -> list[str]:
    try:
        tried = list(islice(rules.options(position), _MOST_TRIED + 1))
    except LimitError:
        return [translate("winning moves: the graph of a component is too large to list them")]
    if not tried:
        return [translate("there is no move, and whoever cannot move wins")]
    lost = [option for option in tried[:_MOST_TRIED] if rules.kind.outcome(rules.operands, option, play) == "P"]
    shown = capped((indented(printable(rules.format(option), length=0)) for option in lost), len(lost))
    return [sentence("winning_moves"), *shown, *([perhaps_more()] if len(tried) > _MOST_TRIED else [])]


def rules_of_compound(rules: Compound) -> RulesText:
    """Return the rules text of a compound, which says what a move is, in all languages."""
    move, chinese_move = (lookup(rules.kind.rule, language) for language in LANGUAGES)
    return RulesText((f"{move[0].upper()}{move[1:]}.", ""), (f"{chinese_move}。", ""))


def parts_of_compound(rules: Compound) -> Iterator[Component]:
    """Yield the positions of rules of which the components of a compound consist."""
    for operand in rules.operands:
        yield from operand.parts(operand.token) or ()
