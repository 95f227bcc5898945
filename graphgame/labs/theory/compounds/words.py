"""Explanations of compounds: why the winner wins, and the rules as text."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import islice

from graphgame.errors import LimitError, Message
from graphgame.labs.theory.compounds.kinds import Operand, Vertices
from graphgame.labs.theory.compounds.rules import Compound
from graphgame.rules.ruleset import Component
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

_HEADERS = {
    ("remoteness", False): Message("remoteness"),
    ("remoteness", True): Message("misère remoteness"),
    ("suspense", False): Message("suspense"),
    ("suspense", True): Message("misère suspense"),
    ("outcome", False): Message("outcome"),
    ("outcome", True): Message("misère outcome"),
    ("value", False): Message("value"),
}


def explain_compound(rules: Compound, position: Vertices, misere: bool = False) -> ShownText:
    """Explain who wins a compound and why; list up to 20 winning moves, found among the first 20,000 options.

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
    conjunctive: a move is made in every component, and the game ends when one component has ended. It is P
    if the least remoteness of the components is even, N if it is odd. Here this number is 3.
    <BLANKLINE>
    winning moves:
      bash{2}(3) & bash{3}(5)
      bash{2}(3) & bash{3}(6)
      bash{2}(3) & bash{3}(7)
    """
    outcome = rules.kind.outcome(rules.operands, position, misere)
    verdict = verdict_text("first" if outcome == "N" else "second", misere)
    components = map(indented, _components(rules, position, misere))
    lines = [verdict, "", *components, "", *wrapped(_reason(rules, position, misere))]
    return ShownText(lines if outcome == "P" else [*lines, "", *_winning_moves(rules, position, misere)])


def _components(rules: Compound, position: Vertices, misere: bool) -> list[str]:
    measure = rules.kind.measure
    columns = [(measure, misere)]
    if misere and measure in ("outcome", "value"):
        columns = [("outcome", False), ("outcome", True)]
    rows = [
        [vertex, *(_entry(operand, vertex, *column) for column in columns)]
        for operand, vertex in zip(rules.operands, position, strict=False)
    ]
    shown = table(
        [translate("component"), *(render(_HEADERS[column]) for column in columns)],
        rows[:MOST_ROWS],
        "l" + "r" * len(columns),
    )
    return capped(shown, len(rows) + 1, MOST_ROWS + 1)


def _entry(operand: Operand, vertex: Hashable, measure: str, misere: bool) -> int | str:
    """Return a component's entry in the table: its value, outcome, remoteness or suspense number, see ``measure``."""
    if measure == "value":
        return operand.grundy(vertex)
    if measure == "outcome":
        return str(outcome_word(operand.outcome(vertex, misere)))
    return operand.length(measure, vertex, misere)


def _reason(rules: Compound, position: Vertices, misere: bool) -> str:
    kind = rules.kind
    theorem = render(kind.theorem[misere])
    here = {"value": rules.closed_form(position) if not misere else None, "outcome": None}
    number = here[kind.measure] if kind.measure in here else rules.length(position, misere)
    law = translate(
        "{kind}: {rule}. {theorem}.",
        kind=render(kind.name),
        rule=render(kind.rule),
        theorem=theorem[0].upper() + theorem[1:],
    )
    if number is None:
        return law
    if kind.measure == "value":
        return translate("{law} The value of this sum is {number}.", law=law, number=number)
    return translate("{law} Here this number is {number}.", law=law, number=number)


def _winning_moves(rules: Compound, position: Vertices, misere: bool) -> list[str]:
    try:
        tried = list(islice(rules.options(position), _MOST_TRIED + 1))
    except LimitError:
        return [translate("winning moves: not listed, because the graph of a component is too large")]
    if not tried:
        return [translate("there is no move, and whoever cannot move wins")]
    p_options = [option for option in tried[:_MOST_TRIED] if rules.kind.outcome(rules.operands, option, misere) == "P"]
    shown = capped((indented(printable(rules.format(option), length=0)) for option in p_options), len(p_options))
    return [sentence("winning_moves"), *shown, *([perhaps_more()] if len(tried) > _MOST_TRIED else [])]


def rules_of_compound(rules: Compound) -> RulesText:
    """Return a sentence in each language: what a move is and, except for the ordinal sum, when the game ends."""
    move, chinese_move = (lookup(rules.kind.rule, language) for language in LANGUAGES)
    return RulesText((f"{move[0].upper()}{move[1:]}.", ""), (f"{chinese_move}。", ""))


def parts_of_compound(rules: Compound) -> Iterator[Component]:
    """Yield the parts (rules with positions) of all components at the start of the compound.

    Components that were made from graphs have no parts.
    """
    for operand in rules.operands:
        yield from operand.parts(operand.token) or ()
