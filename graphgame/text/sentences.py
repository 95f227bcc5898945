"""The sentences of explanations, and the lines made of them; a line also has the cells that it becomes in a table.

A terminal shows a line in the current language, the page has each line in both languages, and LaTeX makes tables of
the cells. In a sentence, a fact replaces a name in braces; any other brace is an ordinary character, as in ``mex{}``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, Self

from graphgame.errors import Message, filled
from graphgame.text.languages import render, template_of

_COLON = re.compile(": |：(?!$)")
_FIRST_SLOT = re.compile(r"\{([a-z_]+)\}")

LineKind = Literal["paragraph", "item", "row", "rule", "total"]


class TextLine(str):
    """A line of an explanation.

    Parameters
    ----------
    text : str
    kind : {"paragraph", "item", "row", "rule", "total"}
        "item" is an entry of a list. In a nim-sum "row" is a component, "rule" the line of dashes, and "total" the sum.
    cells : sequence of str
        The cells of the line in a LaTeX table: the columns of a row or total, or two texts, a term and what the line
        says of the term. Other lines have no cells.
    """

    kind: LineKind
    cells: tuple[str, ...]

    def __new__(cls, text: str, kind: LineKind = "paragraph", cells: Sequence[str] = ()) -> Self:
        """Return a line with this text, kind and cells."""
        line = str.__new__(cls, text)
        line.kind, line.cells = kind, tuple(cells)
        return line

    def __str__(self) -> str:
        """Return the line itself, not a plain string, so that it keeps its cells if it becomes a fact of a message."""
        return self


def line_of(message: Message) -> TextLine:
    """Return a message in the current language as a line with two cells: before and after the template's first colon.

    A colon at the end does not count. If the message begins with a fact that has cells itself, the first cell is that
    of the fact, and the second is the text from the fact's second cell on. Without a colon there are no cells.

    Examples
    --------
    >>> line_of(Message("{name}: {value}", name="a: b", value=1)).cells
    ('a: b', '1')
    """
    text, template = render(message), template_of(message)
    first = _FIRST_SLOT.match(template)
    start = message.facts.get(first[1]) if first else None
    if isinstance(start, TextLine) and start.cells:
        return TextLine(text, cells=(start.cells[0], text[len(start) - len(start.cells[1]) :]))
    colon = _COLON.search(template)
    if colon is None:
        return TextLine(text)
    term = filled(template[: colon.start()], {name: render(fact) for name, fact in message.facts.items()})
    return TextLine(text, cells=(term, text[len(term) + len(colon[0]) :]))


def indented(line: str) -> TextLine:
    """Return a line with two spaces before it; its kind, if "paragraph", becomes "item"."""
    kind, cells = (line.kind, line.cells) if isinstance(line, TextLine) else ("paragraph", ())
    return TextLine("".join(("  ", line)), "item" if kind == "paragraph" else kind, cells)


SENTENCES = {
    # sentences about the value of a position in a graph
    "position": Message("position {name} has value {value}"),
    "with_options": Message("position {name} has value {value}; its options:"),
    "sum": Message("sum {name} has value {value}"),
    "end": Message("no options: mex{} = 0"),
    "end_lost": Message("a P-position: the player to move has no move, and loses"),
    "end_misere": Message("no options: value 1 under misère play"),
    "end_won": Message("an N-position: the player who cannot move wins"),
    "same_value": Message("value {value}: {names}"),
    "gap": Message("value {value}: none, so mex{seen} = {value}"),
    "gap_only": Message("value {value}: none, and mex{seen} = {value}"),
    "drawn": Message("a draw: no move leaves a P-position, and the move to {name} keeps play going"),
    "lost": Message("a P-position: every option is an N-position"),
    "won": Message("an N-position: the move to {name} leaves a P-position"),
    "decided_P": Message("position {name} ends play: the player who just moved has won"),
    "decided_N": Message("position {name} ends play: the player who just moved has lost"),
    "loony": Message("position {name} is loony: the mover ends play at once and wins, by the move to {end}"),
    "left_out": Message("loony options do not count, because a move to one loses at once: {names}"),
    "lost_at_once": Message("a P-position: every option is an N-position, and a move to a loony one loses at once"),
    "no_parts": Message("no parts: the xor of nothing is 0"),
    "no_parts_misere": Message("no parts, so no move: value 1 under misère play"),
    "parts": Message("the xor of the parts of the sum:"),
    "parts_misere": Message("the parts of the sum: {names}"),
    "no_xor_misere": Message("misère values do not combine by xor: this value comes from the moves in all parts"),
    # sentences about the value of a position from which play need not end
    "not_undone": Message("the move to {name} cannot be undone by a move to value {value}, so the value is infinite"),
    "undone": Message("the move to {name} is undone by {reply}, which makes the value {value} again"),
    "reply_to": Message("the move to {name}"),
    "ends_game": Message("the move to {name} ends the game, and the player who makes it loses"),
    # who wins any game; and sentences about a sum of positions or of the tokens on a graph, in normal play
    "first": Message("first player wins"),
    "second": Message("second player wins"),
    "draw": Message("nobody can force a win"),
    "sum_of_tokens": Message("{verdict}: the nim-sum of the tokens is {total}"),
    "one_won": Message("{verdict}: {name} has the value {total}, and a move to the value 0 wins"),
    "one_lost": Message("{verdict}: {name} has the value 0, and every move has an answer that makes the value 0 again"),
    "one_lost_or_end": Message(
        "{verdict}: {name} has the value 0; after each move the second player wins at once or makes the value 0 again"
    ),
    "over": Message("{verdict}: {name} ends play"),
    "at_once": Message("{verdict} at once: from {name} a move ends play, whatever else is in the sum"),
    "loses_at_once": Message("{move} loses at once"),
    "loony_answers": Message("A move to a loony position loses too: play ends with it or with the answer to it."),
    "sum_of_values": Message("{verdict}: the sum of the tokens' values is {total}"),
    "top_column": Message(
        "{total} is {binary} in binary, and component {component}, position {name}, has a 1 in its top column:"
    ),
    "aim": Message(
        "{value} xor {total} = {aim} is less than {value}, so by the mex rule this position has an option of value "
        "{aim}."
    ),
    "first_answers": Message(
        "This move makes the nim-sum 0. Every answer changes one value, so the nim-sum is no longer 0\nand can "
        "be made 0 again: the first player always has a move, and so makes the last one."
    ),
    "first_or_end": Message("Then the nim-sum is 0: each answer lets the first player win at once or make it 0 again."),
    "no_move": Message("No component has a move: the first player cannot move, and loses."),
    "second_answers": Message(
        "Every move changes the value of one component, as no option has the same value as its position. The nim-sum\n"
        "becomes nonzero, and the second player can make it 0 again, so every move loses:"
    ),
    "move_of_one": Message("{start} -> {end}"),
    "move": Message("component {component}: {start} -> {end}"),
    "answer": Message("{move} is answered by {reply}"),
    "winning_moves": Message("winning moves:"),
    "drawing_moves": Message("drawing moves:"),
    "effect": Message("{move}: value {before} becomes {before} xor {total} = {after}"),
    "raising_effect": Message(
        "{move}: value {before} becomes {before} xor {total} = {after} (raises the value: a reversible move, which the "
        "opponent can undo)"
    ),
    "becomes": Message("{move}: value {before} becomes {after}"),
    "two_infinite": Message("Two infinite values have the sum inf(): one move makes at most one of them finite."),
    "smith_first": Message(
        "inf(K) + n = inf({k xor n : k in K}): these are the finite values that a move in the infinite component\n"
        "can give the sum. The first player wins exactly if 0 is one of them, and {total} contains 0."
    ),
    "smith_draw": Message(
        "inf(K) + n = inf({k xor n : k in K}): these are the finite values that a move in the infinite component\n"
        "can give the sum. The first player wins exactly if 0 is one of them, and {total} does not contain 0."
    ),
    "finite_first": Message("All values are finite and their xor is not 0, so a move of the first player makes it 0."),
    "finite_second": Message(
        "All values are finite and their xor is 0: each move has an answer that makes it 0 again. Answers that "
        "undo a\nmove to a larger value come to an end, as each reaches a position whose value was computed earlier."
    ),
    # sentences about the sum of the tokens on a graph, under misère play
    "under_misere": Message("{verdict} under misère play"),
    "no_move_misere": Message(
        "{verdict} under misère play: no component has a move, and the player who cannot move wins"
    ),
    "move_by_move": Message("The sum of {names} was solved move by move, because misère values do not combine by xor."),
    "winning_misere": Message("winning moves, each of which leaves a P-position:"),
    "drawing_misere": Message("No move wins; drawing moves, after which nobody can force a win:"),
    "one_loses": Message("Every move loses: there is only 1 move, to an N-position."),
    "all_lose": Message("Every move loses: there are {count} moves, to N-positions only."),
    # sentences about Nim under misère play, and about sums explained by the values of their components
    "nim_sum": Message("{verdict}: the nim-sum is {total}"),
    "top_of": Message(
        "{total} is {binary} in binary, and {name} has a 1 in its top column. {rule}; then the nim-sum is 0, and "
        "the first player can make it 0 again after every answer."
    ),
    "top_of_or_end": Message("{total} is {binary} in binary, and {name} has a 1 in its top column. {rule}."),
    "rule_of_nim": Message("A heap of n can be reduced to n xor {total} if that is less than n"),
    "rule_of_values": Message("A component of value n has an option of value n xor {total} if that is less than n"),
    "every_heap": Message(
        "Every move changes the size of one heap, so the nim-sum is no longer 0 and the second player can make it "
        "0 again: the second player always has an answer, and so makes the last move."
    ),
    "every_component": Message(
        "Every move changes the value of one component, so the nim-sum is no longer 0 and the second player can "
        "make it 0 again: the second player always has an answer, and so makes the last move."
    ),
    "every_or_end": Message("Every move loses: the second player can make the nim-sum 0 again, or wins at once."),
    "left": Message("component {component}: leave {rest}, so take {taken}"),
    "class": Message("class {name}: {meaning}."),
    "is_S0": Message("no heap of 2 or more, and an odd number of 1s"),
    "is_S1": Message("exactly one heap of 2 or more"),
    "is_S2": Message("nim-sum not 0, two or more heaps of 2 or more"),
    "is_T0": Message("no heap of 2 or more, and an even number of 1s"),
    "is_T2": Message("nim-sum 0, two or more heaps of 2 or more"),
    "why_S0": Message("Each move takes a 1. Their number is odd, so the first player takes the last one and loses."),
    "why_S1": Message(
        "The first player takes from the large heap and leaves an odd number of 1s (class S0): the second player loses."
    ),
    "why_S2": Message(
        "The first player makes the nim-sum 0 and leaves heaps of 2 or more (class T2): the second player loses."
    ),
    "why_T0": Message("Each move takes a 1. Their number is even, so the second player takes the last one and loses."),
    "why_T2": Message(
        "Every move makes the nim-sum nonzero and leaves a heap of 2 or more (class S1 or S2): the second player wins."
    ),
    "no_heap": Message("No heap is left: the player who cannot move wins."),
    "by_theorem": Message("{name} is an N-position by the theorem of its game. No theorem gives its value."),
    "by_theorem_of_one": Message(
        "{name} is an N-position by the theorem of its game, and the nim-sum of all other components is 0. "
        "No theorem gives the value of {name}."
    ),
    "and_theorem": Message("{reason} To read the theorem: graphgame games {name}"),
    "named": Message("component {component}: {move}"),
    "changed": Message("{move}, value {before} -> {after}"),
    # sentences that explain a position by the theorem of its game
    "because": Message("{verdict}: {reason}"),
    "taking": Message("{move}, take {taken}"),
    "all_answered": Message("Every move loses; answers to the first moves:"),
    "all_lose_by_theorem": Message("Every move loses."),
    "theorem_of": Message("The theorem and its source: graphgame games {name}"),
    # sentences at the end of a list that is not complete
    "derived": Message("only {count} positions are explained here; name any other position to explain it"),
    "more": Message("... and {count} more"),
}


def sentence(key: str, **facts: object) -> TextLine:
    """Return the sentence with a key in SENTENCES as a line in the current language; ``facts`` fill its {names}.

    Examples
    --------
    >>> sentence("gap", value=2, seen="{0, 1}")
    'value 2: none, so mex{0, 1} = 2'
    """
    return line_of(Message(SENTENCES[key], **facts))


def word_for(name: str) -> str:
    """Return the word for a player, or a heading, in the current language; ``name`` is its key in ``_WORDS``."""
    return render(_WORDS[name])


_WORDS = {
    str(each): each
    for each in (Message("first"), Message("second"), Message("graphs"), Message("theorem"), Message("source"))
}
