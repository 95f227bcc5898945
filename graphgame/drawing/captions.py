"""The words of a picture: title, caption and legend, and how many positions it shows."""

from __future__ import annotations

import textwrap
from unicodedata import east_asian_width

import numpy as np

from graphgame.drawing import style
from graphgame.drawing.picture import GraphPicture
from graphgame.errors import LimitError, Message
from graphgame.graph import LOONY, SUNNY
from graphgame.solution.solve import LoopySolution, Solution
from graphgame.text.languages import amount, translate
from graphgame.text.text import capped, outcome_word, printable, verdict_text

SIGNS = {
    "P": ("", Message("previous player wins")),
    "N": ("", Message("next player wins")),
    "D": ("", Message("draw: nobody can force a win")),
    "value": ("0, 1, 2", ""),
    "centre": (style.CENTRE, Message("drawn around this position")),
    "infinite": ("inf(0,2)", Message("infinite value; the finite values of the options are 0 and 2")),
    "sunny": ("sunny", Message("play is over: the player who just moved has won")),
    "loony": ("loony", Message("the next player can win at once, or has already won")),
    "genus": (
        "2, 2^2, 4^146",
        Message("genus: a Nim heap's size, otherwise normal value ^ misère values with 0, 1, 2, ... heaps of 2 added"),
    ),
    "token": ("", Message("token")),
    "token win": ("", Message("winning move of the tokens")),
    "win": ("", Message("move to a P-position")),
    "move": ("", Message("move")),
    "part": ("- -▷", Message("from a sum to its part")),
    "back": ("", Message("move back to an earlier level")),
    "merged": (style.times(3), Message("3 equal positions, drawn as one")),
    "sum": (style.SUM, Message("sum of its parts; the outline is dashed")),
    "stub": ("+3", Message("3 moves are not shown")),
    "twice": (style.times(2), Message("this part occurs twice in the sum")),
}
"""Kind of a sign -> its text (empty if it is drawn) and its meaning for the legend. :func:`value_name` names values."""


def meaning(kind: str) -> str:
    """Return the meaning of a sign, in the current language; ``kind`` is its key in ``SIGNS``."""
    return translate(SIGNS[kind][1])


def value_name(picture: GraphPicture) -> str:
    """Return "Grundy value" or "misère value", in the current language: the name of the values in a picture."""
    misere = picture.solution is not None and picture.solution.misere
    return translate("misère value" if misere else "Grundy value")


def legend_signs(picture: GraphPicture) -> list[tuple[str, str, str]]:
    """Return (key in ``SIGNS``, text, meaning) for each sign in the legend; the text is "" for a sign that is drawn."""
    solution, options = picture.solution, picture.options
    solved = solution is not None
    sums = picture.graph.sums is not None and picture.shows(picture.graph.sums)
    blocks = [
        (bool((block.kind == style.PART).any()), bool((block.multiplicity > 1).any()))
        for block in (picture.edges() if sums else ())
    ]
    decided = solution is not None and options.values and picture.graph.decided is not None
    values = solution.grundy.array if solution is not None and decided else np.zeros(len(picture.graph), np.int32)
    shown = {
        "centre": bool(picture.centres),
        "P": solved and options.only in ("P", None),
        "N": solved and options.only in ("N", None),
        "D": solved and options.only in ("D", None) and picture.shows_draws,
        "genus": solved and options.values and options.genus is not None,
        "value": solved and options.values and options.genus is None,
        "infinite": solved and options.values and picture.shows_infinite_values,
        "sunny": picture.shows(values == SUNNY),
        "loony": picture.shows(values == LOONY),
        "token": picture.shows_tokens,
        "token win": picture.shows_token_wins,
        "win": solved and options.only is None,
        "merged": picture.shows_merged,
        "sum": sums,
        "part": any(has_parts for has_parts, _ in blocks),
        "twice": any(has_multiples for _, has_multiples in blocks),
        "stub": bool(picture.stubs),
    }
    kinds = [kind for kind, is_shown in shown.items() if is_shown]
    return [(kind, SIGNS[kind][0], value_name(picture) if kind == "value" else meaning(kind)) for kind in kinds]


_MOST_NAMED = 3


def headings(picture: GraphPicture) -> tuple[str, str]:
    """Return the title and the caption of a picture, from its options or by default; each may be empty."""
    title, caption = picture.options.title, picture.options.caption
    if title is None:
        title = default_caption(picture)
    elif title and caption is None:
        caption = default_caption(picture)
    return title, caption or ""


def default_caption(picture: GraphPicture) -> str:
    """Return the default title, or the caption below a user's title: who wins, or how many positions there are."""
    solution, graph = picture.solution, picture.graph
    if picture.is_whole and picture.counts is None and solution is None:
        return translate(", ").join([amount(len(graph), "vertex"), amount(graph.number_of_edges(), "edge")])
    parts = [translate("misère play")] if solution is not None and solution.misere else []
    if solution is not None and tells_winner(picture):
        return translate(", ").join(parts + _winner(solution))
    return translate(", ").join([*parts, _neighbourhood(picture) if picture.centres else positions_in_words(picture)])


def tells_winner(picture: GraphPicture) -> bool:
    """Tell whether the game is solved, has tokens, all of them are shown, and the option ``around`` is empty.

    Then the default caption says who wins or, if the sum is too large for that, how many tokens there are.
    """
    return picture.solution is not None and picture.shows_all_tokens and not picture.centres


def _neighbourhood(picture: GraphPicture) -> str:
    around = tuple(picture.options.around)
    names = ", ".join(capped(map(printable, around), len(around), _MOST_NAMED))
    return translate(
        "around {names}, at most 1 move away: {positions}"
        if picture.options.steps == 1
        else "around {names}, at most {count} moves away: {positions}",
        names=names,
        count=f"{picture.options.steps:,}",
        positions=positions_in_words(picture),
    )


def positions_in_words(picture: GraphPicture) -> str:
    """Return in words how many positions are shown and, if the game is solved, how many of these have each outcome."""
    shown, sums = picture.positions, picture.graph.sums
    total = amount(len(picture.graph) - (0 if sums is None else int(sums.sum())), "position")
    parts = [total]
    if not picture.is_whole:
        parts = [translate("{count} of {positions}", count=f"{int(shown.sum()):,}", positions=total)]
    parts[0] = _with_counts(picture, parts[0])
    if picture.outcome is not None:
        outcomes = "PND" if isinstance(picture.solution, LoopySolution) else "PN"
        parts += [f"{int((picture.outcome[shown] == outcome).sum()):,} {outcome_word(outcome)}" for outcome in outcomes]
    return translate(", ").join(parts)


def size_words(picture: GraphPicture, numbers: np.ndarray) -> str:
    """Return in words how many of the vertices ``numbers`` are positions (see :func:`_with_counts`) and sums."""
    sums = 0 if picture.graph.sums is None else int(np.count_nonzero(picture.graph.sums[numbers]))
    positions = _with_counts(picture, amount(len(numbers) - sums, "position"))
    return translate(", ").join([positions, amount(sums, "sum")]) if sums else positions


def _with_counts(picture: GraphPicture, positions: str) -> str:
    """Return ``positions``, a count in words; with ``merge``, add the count before merging or "no two are equal"."""
    if picture.counts is None:
        return positions
    counts = picture.counts[picture.positions]
    if not (counts > 1).any():
        return translate("{positions} (no two are equal)", positions=positions)
    return translate("{positions} (merged from {count})", positions=positions, count=f"{int(counts.sum()):,}")


def _winner(solution: Solution) -> list[str]:
    count = len(solution.tokens or ())
    try:
        winner = verdict_text(solution.winner)
    except LimitError:
        return [amount(count, "token")]
    if count <= 1 or solution.misere:
        return [winner]
    return [winner, translate("nim-sum {total}", total=solution.nim_sum)]


_MOST_LINES = 8
_TITLE_WIDTH = 72


def heading_lines(text: str, width: int = _TITLE_WIDTH) -> list[str]:
    """Break a text into lines of ``width`` characters (Chinese: 4/7 of that). If over 8 lines, return 7 and "..."."""
    if not text:
        return []
    if any(east_asian_width(letter) in "WF" for letter in text):
        width = width * 4 // 7
    lines = [part for line in text.split("\n") for part in textwrap.wrap(printable(line, 0), max(width, 8)) or [""]]
    return lines if len(lines) <= _MOST_LINES else [*lines[: _MOST_LINES - 1], "..."]
