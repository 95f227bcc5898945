"""Sentences about a position under misère play: its genus, and its element of a misère quotient."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from graphgame.errors import Message
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.labs.misere import MisereQuotient
from graphgame.labs.misere.checking import find_fault_among, refuse_fault
from graphgame.labs.misere.genus import Genus, GenusTable
from graphgame.solution.results import Move
from graphgame.text.languages import render, translate
from graphgame.text.sentences import indented, line_of
from graphgame.text.text import MOST_ROWS, ShownText, capped, component_move_text, printable, table, verdict_text

WORDS = {
    str(each): each
    for each in (
        Message("P"),
        Message("N"),
        Message("position"),
        Message("genus"),
        Message("outcome"),
        Message("kind"),
        Message("birthday"),
        Message("tame"),
        Message("restive"),
        Message("restless"),
        Message("wild"),
    )
} | {"misere": Message("misère value"), "form": Message("canonical form")}
"""Name of a column, or word in a cell -> the message that shows it in the user's language."""

_LONGEST_FORM = 72
_STUCK = {
    "first": Message("No move is left, and that wins."),
    "second": Message("No move leads to an element of the P-portion."),
}
_ENTRIES = 5


class MisereWords:
    r"""Sentences about positions of a graph: their genus, and their elements of a quotient.

    ``genus`` or ``quotient`` may be None. The constructor raises ParameterError if the quotient is wrong for the graph,
    and UnknownPositionError if it does not cover a position of the graph.

    Examples
    --------
    >>> from graphgame import explore, heaps
    >>> from graphgame.labs.misere import genus_table, heap_quotient
    >>> kayles = heaps.octal("0.77")
    >>> graph = explore(kayles.ruleset, 9)
    >>> words = MisereWords(graph, genus_table(graph), heap_quotient(kayles, 9))
    >>> print(*words.lines(5), sep="\n")
    genus 4^146, restless: normal value 4; misère values 1, 4, 6, 4, 6, ... in sums with 0, 1, 2, ... heaps of two
    canonical form {*1, *2, *3, {*2, *3}}
    element c of the quotient of order 18: it is not in the P-portion, so this is an N-position
    """

    def __init__(self, graph: GameGraph, genus: GenusTable | None, quotient: MisereQuotient | None) -> None:
        self._genus = genus
        self._quotient = quotient
        if quotient is not None:
            refuse_fault(quotient, find_fault_among(quotient, graph))

    def lines(self, *positions: Hashable) -> Iterator[str]:
        """Yield lines about a sum of positions.

        With a genus table they have its genus and canonical form (if this is long, only its birthday), with a quotient
        its element.
        """
        if self._genus is not None:
            yield from _of_form(self._genus, self._genus.form_of(*positions), self._genus.genus_of(*positions))
        if self._quotient is not None:
            yield _of_element(self._quotient, positions)


def explain_by_quotient(game: GameLike, positions: Sequence[Hashable], quotient: MisereQuotient) -> ShownText:
    r"""Explain who wins a sum under misère play, and by which moves, from the elements of its components.

    ``game`` must contain the positions of the components; a graph of their sums is not needed. The quotient is checked
    for this graph first. ParameterError is raised if it is wrong, and UnknownPositionError if it does not cover a
    position of the graph.

    Examples
    --------
    >>> from graphgame import explore, heaps
    >>> from graphgame.labs.misere import heap_quotient
    >>> kayles = heaps.octal("0.77")
    >>> graph = explore(kayles.ruleset, 9)
    >>> print(explain_by_quotient(graph, [9, 3], heap_quotient(kayles, 9)))
    first player wins under misère play
    <BLANKLINE>
      position  element
      9               d
      3              ab
    <BLANKLINE>
    element abc = d · ab of the quotient of order 18: it is not in the P-portion, so this is an N-position
    <BLANKLINE>
    winning moves, each of which leaves an element of the P-portion:
      component 1: 9 -> Sum(1, 7): element b^2
      component 2: 3 -> Sum(1, 1): element d
    """
    graph = GameGraph.of(game)
    refuse_fault(quotient, find_fault_among(quotient, graph))
    winner = "first" if quotient.outcome(*positions) == "N" else "second"
    rows = [(printable(position), quotient.names[quotient.element(position)]) for position in positions]
    elements = [indented(line) for line in table([translate("position"), translate("element")], rows, "lr")]
    lines = [verdict_text(winner, misere=True), "", *elements, "", _of_element(quotient, positions), ""]
    return ShownText([*lines, *_why(winner, list(_winning_moves(graph, positions, quotient)))])


def _why(winner: str, moves: list[tuple[Move, str]]) -> list[str]:
    if not moves:
        return [translate(_STUCK[winner])]
    lines = (
        indented(line_of(Message("{move}: element {name}", move=component_move_text(move), name=name)))
        for move, name in moves
    )
    return [
        translate("winning moves, each of which leaves an element of the P-portion:"),
        *capped(lines, len(moves), MOST_ROWS),
    ]


def _winning_moves(
    graph: GameGraph, positions: Sequence[Hashable], quotient: MisereQuotient
) -> Iterator[tuple[Move, str]]:
    """Yield the winning moves in the sum of ``positions`` under misère play, as pairs (move, element).

    A move in one component wins if it leaves a sum whose element is in the P-portion. ``element`` is the name of this
    element.
    """
    for component, start in enumerate(positions):
        others = quotient.element(*positions[:component], *positions[component + 1 :])
        for option in graph.successors(start):
            parts = (
                graph.labels.take(graph.option_rows.row(graph.number_of(option))) if graph.is_sum(option) else [option]
            )
            left = int(quotient.table[others, quotient.element(*parts)])
            if quotient.is_p[left]:
                yield Move(component, start, option), quotient.names[left]


def _of_form(table: GenusTable, form: int, genus: Genus) -> Iterator[str]:
    if genus.is_nim_heap:
        yield line_of(Message("genus {genus}, tame: equal to the heap of Nim *{genus}", genus=genus))
        return
    kind = render(WORDS[genus.kind])
    if genus.kind == "tame" and not genus.hereditarily_tame:
        kind = translate("tame, but its canonical form can reach a position that is not tame")
    values = ", ".join(map(str, genus.values(_ENTRIES)))
    yield line_of(
        Message(
            "genus {genus}, {kind}: normal value {base}; misère values {values}, ... in sums with 0, 1, 2, ... heaps "
            "of two",
            genus=genus,
            kind=kind,
            base=genus.base,
            values=values,
        )
    )
    form_text, born = table.forms.text(form, _LONGEST_FORM), table.forms.birthday[form]
    if "..." in form_text:
        yield translate("canonical form too long to show, with birthday {birthday}", birthday=born)
    else:
        yield translate("canonical form {form}", form=form_text)


def _of_element(quotient: MisereQuotient, positions: Sequence[Hashable]) -> str:
    elements = [quotient.names[quotient.element(position)] for position in positions]
    product = quotient.names[quotient.element(*positions)]
    factors = f" = {' · '.join(elements)}" if len(elements) > 1 else ""
    return line_of(
        Message(
            "element {element} of the quotient of order {order}: it is in the P-portion, so this is a P-position"
            if quotient.outcome(*positions) == "P"
            else "element {element} of the quotient of order {order}: it is not in the P-portion, "
            "so this is an N-position",
            element=product + factors,
            order=quotient.order,
        )
    )
