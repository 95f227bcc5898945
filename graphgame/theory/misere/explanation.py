"""What the theory of misère play says of a position, in words."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from graphgame.errors import OptionError, shorten
from graphgame.graph import GameGraph
from graphgame.theory.misere.checking import find_fault_among
from graphgame.theory.misere.genus import Genus, GenusTable
from graphgame.theory.misere.quotient import MisereQuotient

__all__ = ["MisereWords"]

_LONGEST_FORM = 72
_ENTRIES = 5


class MisereWords:
    r"""Words about the genus of a position and its element of a quotient.

    Parameters
    ----------
    graph : GameGraph
    genus : GenusTable, optional
        The genera of the graph's positions.
    quotient : MisereQuotient, optional

    Raises
    ------
    OptionError
        The quotient does not hold in the graph.
    UnknownPositionError
        The quotient is not for all positions of the graph.

    Examples
    --------
    >>> from graphgame import explore, heaps
    >>> from graphgame.theory.misere import genus_table, heap_quotient
    >>> kayles = heaps.octal("0.77")
    >>> graph = explore(kayles.ruleset, 9)
    >>> words = MisereWords(graph, genus_table(graph), heap_quotient(kayles, 9))
    >>> print(*words.lines(5), sep="\n")
    genus 4^146, restless: normal value 4; misère values 1, 4, 6, 4, 6, ... with 0, 1, 2, ... heaps of two
    canonical form {*1, *2, *3, {*2, *3}}
    element c of the quotient of order 18: not in the P-portion, so an N-position
    """

    def __init__(self, graph: GameGraph, genus: GenusTable | None, quotient: MisereQuotient | None) -> None:
        self._genus = genus
        self._quotient = quotient
        fault = None if quotient is None else find_fault_among(quotient, graph)
        if quotient is not None and fault is not None:
            raise OptionError(f"the quotient of {shorten(quotient.game)} does not hold for these positions: {fault}")

    def lines(self, *positions: Hashable) -> Iterator[str]:
        """Yield what is known of a sum of positions."""
        if self._genus is not None:
            yield from _of_form(self._genus, self._genus.form_of(*positions), self._genus.genus_of(*positions))
        if self._quotient is not None:
            yield _of_element(self._quotient, positions)


def _of_form(table: GenusTable, form: int, genus: Genus) -> Iterator[str]:
    if genus.is_nim_heap:
        yield f"genus {genus}, tame: equal to the heap of Nim *{genus}"
        return
    values = ", ".join(map(str, genus.values(_ENTRIES)))
    yield (
        f"genus {genus}, {genus.kind}: normal value {genus.base}; misère values {values}, ... "
        "with 0, 1, 2, ... heaps of two"
    )
    text = table.forms.text(form, _LONGEST_FORM)
    shown = f"of birthday {table.forms.birthday[form]}" if "..." in text else text
    yield f"canonical form {shown}"


def _of_element(quotient: MisereQuotient, positions: tuple[Hashable, ...]) -> str:
    elements = [quotient.names[quotient.element(position)] for position in positions]
    product = quotient.names[quotient.element(*positions)]
    outcome = quotient.outcome(*positions)
    factors = f" = {' · '.join(elements)}" if len(elements) > 1 else ""
    portion = "in the P-portion, so a P-position" if outcome == "P" else "not in the P-portion, so an N-position"
    return f"element {product}{factors} of the quotient of order {quotient.order}: {portion}"
