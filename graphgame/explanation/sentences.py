"""The sentences of explanations, each once: the terminal writes them in English, the page in both languages.

What stands in braces is filled in; a brace beside anything else is itself, as in ``mex{}``.
"""

from __future__ import annotations

import re

__all__ = ["LANGUAGES", "SENTENCES", "sentence"]

LANGUAGES = ("en", "zh")
"""The order of the texts of :data:`SENTENCES`."""

_FACT = re.compile(r"\{([a-z]+)\}")

SENTENCES: dict[str, tuple[str, str]] = {
    # a value
    "position": ("position {name} has value {value}", "局面 {name} 的值为 {value}"),
    "with_options": ("position {name} has value {value}; its options:", "局面 {name} 的值为 {value}；它的后继："),
    "sum": ("sum {name} has value {value}", "和 {name} 的值为 {value}"),
    "end": ("no options: mex{} = 0", "没有后继：mex{} = 0"),
    "end_lost": ("a P-position: the player to move cannot, and loses", "P 态：轮到走的一方无步可走，输"),
    "end_misere": ("no options: value 1 under misère play", "没有后继：反常规则下值为 1"),
    "end_won": ("an N-position: the player who cannot move wins", "N 态：无步可走的一方胜"),
    "same_value": ("value {value}: {names}", "值 {value}：{names}"),
    "gap": ("value {value}: none, so mex{seen} = {value}", "值 {value}：没有，所以 mex{seen} = {value}"),
    "gap_only": ("value {value}: none, and mex{seen} = {value}", "值 {value}：没有，mex{seen} = {value}"),
    "drawn": (
        "a draw: no move leaves a P-position, and that to {name} keeps play going",
        "和局：没有走法留下 P 态，而走到 {name} 可以一直走下去",
    ),
    "lost": ("a P-position: every option is an N-position", "P 态：每个后继都是 N 态"),
    "won": ("an N-position: the move to {name} leaves a P-position", "N 态：走到 {name} 留下 P 态"),
    "no_parts": ("no parts: the xor of nothing is 0", "没有部分：空的异或为 0"),
    "no_parts_misere": (
        "no parts, so no move: value 1 under misère play",
        "没有部分，也就没有走法：反常规则下值为 1",
    ),
    "parts": ("the xor of its parts:", "各部分的异或："),
    "parts_misere": ("its parts: {names}", "它的部分：{names}"),
    "no_xor_misere": (
        "misère values do not combine by xor: this one is the mex over the moves in all parts",
        "反常规则下的值不能用异或合并：这个值是所有部分的走法的 mex",
    ),
    # where play need not end
    "not_undone": (
        "from {name} no move leads to value {value}, so the value is not {value} but infinite",
        "从 {name} 没有走法到值 {value}，所以值不是 {value}，而是无穷",
    ),
    "undone": (
        "the move to {name} is undone by {reply}, of value {value} again",
        "走到 {name} 可由 {reply} 抵消，值又是 {value}",
    ),
    "reply_to": ("that to {name}", "走到 {name}"),
    "ends_game": ("the move to {name} ends the game, which the mover wins", "走到 {name} 即结束游戏，走子者胜"),
    # a sum
    "first": ("first player wins", "先手胜"),
    "second": ("second player wins", "后手胜"),
    "draw": ("nobody can force a win", "双方都无法必胜"),
    "sum_of_tokens": (
        "{verdict}: the nim-sum of the tokens is {total}",
        "{verdict}：各棋子的异或和为 {total}",
    ),
    "sum_of_values": (
        "{verdict}: the sum of the tokens' values is {total}",
        "{verdict}：各棋子的值之和为 {total}",
    ),
    "top_column": (
        "{total} is {binary} in binary, and component {component}, position {name}, has a 1 in its top column:",
        "{total} 的二进制为 {binary}，分量 {component}（局面 {name}）在最高列为 1：",
    ),
    "aim": (
        "{value} xor {total} = {aim} is less than {value}, so by the mex rule it has an option of value {aim}.",
        "{value} xor {total} = {aim} 小于 {value}，由 mex 规则，它有值为 {aim} 的后继。",
    ),
    "first_answers": (
        "Moving there makes the nim-sum 0. Every answer changes one value, so the nim-sum is no longer 0\n"
        "and can be made 0 again: the first player always has a move, so the last one.",
        "走到那里使异或和为 0。对方每一步都改变一个值，异或和不再为 0，又可以变回 0：先手总有步可走，因而走最后一步。",
    ),
    "no_move": (
        "No component has a move: the first player cannot move, and loses.",
        "没有分量有走法：先手无步可走，输。",
    ),
    "second_answers": (
        "Every move changes the value of one component, for no option has its position's own value. The nim-sum\n"
        "becomes nonzero, and the second player can make it 0 again, so every move loses:",
        "每一步都改变一个分量的值，因为没有后继的值与局面自身相同。异或和"
        "不再为 0，后手又可以使它为 0，所以每一步都输：",
    ),
    "move": ("component {component}: {start} -> {end}", "分量 {component}：{start} -> {end}"),
    "answer": ("{move} is answered by {reply}", "{move}，应以 {reply}"),
    "winning_moves": ("winning moves:", "必胜走法："),
    "drawing_moves": ("drawing moves:", "和棋走法："),
    "effect": (
        "{move}: value {before} becomes {before} xor {total} = {after}",
        "{move}：值 {before} 变为 {before} xor {total} = {after}",
    ),
    "raised": (
        " (raises the value: a reversible move, which the opponent can take back)",
        "（值变大：可逆的一步，对方可以走回）",
    ),
    "becomes": ("{move}: value {before} becomes {after}", "{move}：值 {before} 变为 {after}"),
    "two_infinite": (
        "Two infinite values have the sum inf(): one move makes at most one of them finite.",
        "两个无穷值之和为 inf()：一步最多使其中一个变为有限。",
    ),
    "smith": (
        "inf(K) + n = inf({k xor n : k in K}): these are the finite values that a move of the infinite component\n"
        "makes of the sum. The first player wins exactly if 0 is one of them, and {total} {holds} it.",
        "inf(K) + n = inf({k xor n : k in K})：这些是无穷分量走一步后"
        "和的有限值。先手胜当且仅当其中有 0，而 {total} {holds} 0。",
    ),
    "holds": ("holds", "含有"),
    "holds_not": ("does not hold", "不含"),
    "finite_first": (
        "All values are finite and their xor is not 0, so a move of the first player makes it 0.",
        "所有值都有限，异或不为 0，所以先手有一步使它为 0。",
    ),
    "finite_second": (
        "All values are finite and their xor is 0: each move has an answer that makes it 0 again. Answers that undo a\n"
        "move to a larger value come to an end, for the counter of the component falls each time.",
        "所有值都有限，异或为 0：每一步都有应着使它又为 0。抵消"
        "走向更大值的应着不会无止境，因为该分量的计数每次都减小。",
    ),
    # misère play
    "under_misere": ("{verdict} under misère play", "反常规则下{verdict}"),
    "no_move_misere": (
        "{verdict} under misère play: no component has a move, and the player who cannot move wins",
        "反常规则下{verdict}：没有分量有走法，无步可走的一方胜",
    ),
    "move_by_move": (
        "The sum of {names} was solved move by move, for misère values do not combine by xor.",
        "{names} 之和是一步一步求出的，因为反常规则下的值不能用异或合并。",
    ),
    "winning_misere": (
        "winning moves, each of which leaves a P-position:",
        "必胜走法，每一步都留下 P 态：",
    ),
    "drawing_misere": (
        "No move wins; drawing moves, after which nobody can force an end:",
        "没有必胜走法；和棋走法，之后双方都无法迫使对局结束：",
    ),
    "one_loses": (
        "Every move loses: there is 1 move, to N-positions only.",
        "每一步都输：只有 1 步，只走到 N 态。",
    ),
    "all_lose": (
        "Every move loses: there are {count} moves, to N-positions only.",
        "每一步都输：共 {count} 步，都只走到 N 态。",
    ),
    # sums whose components need no graph, and Nim
    "nim_sum": ("{verdict}: the nim-sum is {total}", "{verdict}：异或和为 {total}"),
    "top_of": (
        "{total} is {binary} in binary, and {name} has a 1 in its top column. {rule}; "
        "then the nim-sum is 0, and the first player can make it 0 again after every answer.",
        "{total} 的二进制为 {binary}，{name} 在最高列为 1。{rule}；这样异或和为 0，对方每走一步，先手都能再使它为 0。",
    ),
    "rule_of_nim": (
        "A heap a can be left at a xor {total} where that is less than a",
        "若 a xor {total} 小于 a，就可以把 a 个的一堆留成 a xor {total} 个",
    ),
    "rule_of_values": (
        "A component of value a has an option of value a xor {total} where that is less than a",
        "若 a xor {total} 小于 a，值为 a 的分量就有值为 a xor {total} 的后继",
    ),
    "every_heap": (
        "Every move changes the size of one heap, so the nim-sum is no longer 0 and the second player can make it 0 "
        "again: the second player always has an answer, so the last move.",
        "每一步都改变一堆的大小，异或和不再为 0，后手又可以使它为 0：后手总有应着，因而走最后一步。",
    ),
    "every_component": (
        "Every move changes the value of one component, so the nim-sum is no longer 0 and the second player can make "
        "it 0 again: the second player always has an answer, so the last move.",
        "每一步都改变一个分量的值，异或和不再为 0，后手又可以使它为 0：后手总有应着，因而走最后一步。",
    ),
    "left": (
        "component {component}: leave {rest}, so take {taken}",
        "分量 {component}：留下 {rest}，即取走 {taken}",
    ),
    "class": ("class {kind}: {what}.", "{kind} 类：{what}。"),
    "is_S0": ("no heap of 2 or more, and an odd number of 1s", "没有 2 个以上的堆，1 的个数为奇数"),
    "is_S1": ("one heap of 2 or more", "恰有一堆不少于 2 个"),
    "is_S2": ("nim-sum not 0, two or more heaps of 2 or more", "异或和不为 0，不少于 2 个的堆有两堆以上"),
    "is_T0": ("no heap of 2 or more, and an even number of 1s", "没有 2 个以上的堆，1 的个数为偶数"),
    "is_T2": ("nim-sum 0, two or more heaps of 2 or more", "异或和为 0，不少于 2 个的堆有两堆以上"),
    "why_S0": (
        "Each move takes a 1, so the players take turns to the end, and the first player takes the last.",
        "每一步取走一个 1，双方轮流到底，先手取走最后一个。",
    ),
    "why_S1": (
        "The first player takes from the one large heap and leaves an odd number of 1s: a position of class S0.",
        "先手从唯一的大堆中取，留下奇数个 1：S0 类的局面。",
    ),
    "why_S2": (
        "The first player makes the nim-sum 0, as in normal play: that leaves class T2.",
        "先手使异或和为 0，与正常规则相同：留下 T2 类。",
    ),
    "why_T0": (
        "Each move takes a 1, so the players take turns to the end, and the second player takes the last.",
        "每一步取走一个 1，双方轮流到底，后手取走最后一个。",
    ),
    "why_T2": (
        "Every move makes the nim-sum nonzero and leaves a heap of 2 or more: class S1 or S2, which the other wins.",
        "每一步都使异或和不为 0，并留下不少于 2 个的一堆：S1 或 S2 类，对方胜。",
    ),
    "no_heap": ("No heap is left: the player who cannot move wins.", "已没有堆：无步可走的一方胜。"),
    # theorems
    "all_answered": (
        "Every move loses; the first ones are answered so:",
        "每一步都输；前几步的应着：",
    ),
    "all_lose_by_theorem": ("Every move loses.", "每一步都输。"),
    "theorem_of": ("The theorem, and whose it is: graphgame games {name}", "定理及其出处：graphgame games {name}"),
    # lists
    "more": ("... and {count} more", "…… 还有 {count} 个"),
}


def sentence(key: str, **facts: object) -> str:
    """Return a sentence in English with its facts.

    Examples
    --------
    >>> sentence("gap", value=2, seen="{0, 1}")
    'value 2: none, so mex{0, 1} = 2'
    """
    return _FACT.sub(lambda found: str(facts[found[1]]), SENTENCES[key][0])
