"""The sentences of explanations, each once: the terminal has them in the current language, the page in each.

What stands in braces is filled in; a brace beside anything else is itself, as in ``mex{}``.
"""

from __future__ import annotations

from graphgame.explanation.texts import translate

__all__ = ["SENTENCES", "sentence"]

SENTENCES = {
    # a value
    "position": "position {name} has value {value}",
    "with_options": "position {name} has value {value}; its options:",
    "sum": "sum {name} has value {value}",
    "end": "no options: mex{} = 0",
    "end_lost": "a P-position: the player to move cannot, and loses",
    "end_misere": "no options: value 1 under misère play",
    "end_won": "an N-position: the player who cannot move wins",
    "same_value": "value {value}: {names}",
    "gap": "value {value}: none, so mex{seen} = {value}",
    "gap_only": "value {value}: none, and mex{seen} = {value}",
    "drawn": "a draw: no move leaves a P-position, and that to {name} keeps play going",
    "lost": "a P-position: every option is an N-position",
    "won": "an N-position: the move to {name} leaves a P-position",
    "no_parts": "no parts: the xor of nothing is 0",
    "no_parts_misere": "no parts, so no move: value 1 under misère play",
    "parts": "the xor of its parts:",
    "parts_misere": "its parts: {names}",
    "no_xor_misere": "misère values do not combine by xor: this one is the mex over the moves in all parts",
    # where play need not end
    "not_undone": "from {name} no move leads to value {value}, so the value is not {value} but infinite",
    "undone": "the move to {name} is undone by {reply}, of value {value} again",
    "reply_to": "that to {name}",
    "ends_game": "the move to {name} ends the game, which the mover wins",
    # a sum
    "first": "first player wins",
    "second": "second player wins",
    "draw": "nobody can force a win",
    "sum_of_tokens": "{verdict}: the nim-sum of the tokens is {total}",
    "one_won": "{verdict}: {name} has the value {total}, and a move to the value 0 wins",
    "one_lost": "{verdict}: {name} has the value 0, and every move leaves a value from which one leads back to 0",
    "sum_of_values": "{verdict}: the sum of the tokens' values is {total}",
    "top_column": (
        "{total} is {binary} in binary, and component {component}, position {name}, has a 1 in its top column:"
    ),
    "aim": "{value} xor {total} = {aim} is less than {value}, so by the mex rule it has an option of value {aim}.",
    "first_answers": (
        "Moving there makes the nim-sum 0. Every answer changes one value, so the nim-sum is no longer 0\nand can "
        "be made 0 again: the first player always has a move, so the last one."
    ),
    "no_move": "No component has a move: the first player cannot move, and loses.",
    "second_answers": (
        "Every move changes the value of one component, for no option has its position's own value. The nim-sum\n"
        "becomes nonzero, and the second player can make it 0 again, so every move loses:"
    ),
    "move_of_one": "{start} -> {end}",
    "move": "component {component}: {start} -> {end}",
    "answer": "{move} is answered by {reply}",
    "winning_moves": "winning moves:",
    "drawing_moves": "drawing moves:",
    "effect": "{move}: value {before} becomes {before} xor {total} = {after}",
    "raised": " (raises the value: a reversible move, which the opponent can take back)",
    "becomes": "{move}: value {before} becomes {after}",
    "two_infinite": "Two infinite values have the sum inf(): one move makes at most one of them finite.",
    "smith": (
        "inf(K) + n = inf({k xor n : k in K}): these are the finite values that a move of the infinite component\n"
        "makes of the sum. The first player wins exactly if 0 is one of them, and {total} {holds} it."
    ),
    "holds": "holds",
    "holds_not": "does not hold",
    "finite_first": "All values are finite and their xor is not 0, so a move of the first player makes it 0.",
    "finite_second": (
        "All values are finite and their xor is 0: each move has an answer that makes it 0 again. Answers that "
        "undo a\nmove to a larger value come to an end, for the counter of the component falls each time."
    ),
    # misère play
    "under_misere": "{verdict} under misère play",
    "no_move_misere": "{verdict} under misère play: no component has a move, and the player who cannot move wins",
    "move_by_move": "The sum of {names} was solved move by move, for misère values do not combine by xor.",
    "winning_misere": "winning moves, each of which leaves a P-position:",
    "drawing_misere": "No move wins; drawing moves, after which nobody can force an end:",
    "one_loses": "Every move loses: there is 1 move, to N-positions only.",
    "all_lose": "Every move loses: there are {count} moves, to N-positions only.",
    # sums whose components need no graph, and Nim
    "nim_sum": "{verdict}: the nim-sum is {total}",
    "top_of": (
        "{total} is {binary} in binary, and {name} has a 1 in its top column. {rule}; then the nim-sum is 0, and "
        "the first player can make it 0 again after every answer."
    ),
    "rule_of_nim": "A heap a can be left at a xor {total} where that is less than a",
    "rule_of_values": "A component of value a has an option of value a xor {total} where that is less than a",
    "every_heap": (
        "Every move changes the size of one heap, so the nim-sum is no longer 0 and the second player can make it "
        "0 again: the second player always has an answer, so the last move."
    ),
    "every_component": (
        "Every move changes the value of one component, so the nim-sum is no longer 0 and the second player can "
        "make it 0 again: the second player always has an answer, so the last move."
    ),
    "left": "component {component}: leave {rest}, so take {taken}",
    "class": "class {kind}: {what}.",
    "is_S0": "no heap of 2 or more, and an odd number of 1s",
    "is_S1": "one heap of 2 or more",
    "is_S2": "nim-sum not 0, two or more heaps of 2 or more",
    "is_T0": "no heap of 2 or more, and an even number of 1s",
    "is_T2": "nim-sum 0, two or more heaps of 2 or more",
    "why_S0": "Each move takes a 1, so the players take turns to the end, and the first player takes the last.",
    "why_S1": "The first player takes from the one large heap and leaves an odd number of 1s: a position of class S0.",
    "why_S2": "The first player makes the nim-sum 0, as in normal play: that leaves class T2.",
    "why_T0": "Each move takes a 1, so the players take turns to the end, and the second player takes the last.",
    "why_T2": (
        "Every move makes the nim-sum nonzero and leaves a heap of 2 or more: class S1 or S2, which the other wins."
    ),
    "no_heap": "No heap is left: the player who cannot move wins.",
    "by_theorem": "{name} is an N-position by the theorem of its game. Its value takes the explicit graph.",
    "by_theorem_of_one": (
        "{name} is an N-position by the theorem of its game, and the nim-sum of all other components is 0. "
        "Its value takes the explicit graph."
    ),
    "and_theorem": "{reason} The theorem: graphgame games {name}",
    "named": "component {component}: {move}",
    "changed": "{move}, value {before} -> {after}",
    # theorems
    "because": "{verdict}: {reason}",
    "taking": "{move}, take {taken}",
    "all_answered": "Every move loses; the first ones are answered so:",
    "all_lose_by_theorem": "Every move loses.",
    "theorem_of": "The theorem, and whose it is: graphgame games {name}",
    # lists
    "derived": "{count} positions are derived; for one of the others, explain it by its name",
    "more": "... and {count} more",
}


def sentence(key: str, **facts: object) -> str:
    """Return a sentence in the current language with its facts.

    Examples
    --------
    >>> sentence("gap", value=2, seen="{0, 1}")
    'value 2: none, so mex{0, 1} = 2'
    """
    return translate(SENTENCES[key], **facts)
