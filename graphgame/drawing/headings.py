"""What stands around a picture: title, caption, legend, and its text for those who do not see it."""

from __future__ import annotations

from math import sqrt

import numpy as np

from graphgame.drawing import style
from graphgame.drawing.captions import markup
from graphgame.drawing.picture import GraphPicture
from graphgame.errors import LimitError, Message
from graphgame.graph.decided import LOONY, SUNNY
from graphgame.io.dot import quote
from graphgame.solution.solve import LoopySolution, Solution
from graphgame.text.languages import amount, translate
from graphgame.text.text import capped, component_move_text, outcome_word, printable, verdict_text

_MEANINGS = {
    "P": Message("previous player wins"),
    "N": Message("next player wins"),
    "D": Message("draw: nobody can force an end"),
    "centre": Message("drawn around this position"),
    "infinite": Message("infinite value: its options have the finite values 0, 2"),
    "sunny": Message("play is over: the player who just moved has won"),
    "loony": Message("the next player can end play at once and win, or has won"),
    "genus": Message("genus: a heap of Nim, or normal value ^ misère values with 0, 1, 2, ... heaps of two"),
    "token": Message("token"),
    "token win": Message("winning move of the tokens"),
    "win": Message("move to a P-position"),
    "move": Message("move"),
    "part": Message("part of a sum"),
    "back": Message("move back up"),
    "merged": Message("3 equal positions, drawn as one"),
    "sum": Message("sum of its parts, outlined in dashes"),
    "stub": Message("that many moves are not shown"),
    "twice": Message("stands in the sum twice, or more often"),
}
"""Kind of a sign -> what it means."""

SIGNS = {
    "centre": style.CENTRE,
    "value": "0, 1, 2",
    "genus": "2, 2^2, 4^146",
    "infinite": "inf(0,2)",
    "sunny": "sunny",
    "loony": "loony",
    "merged": style.times(3),
    "sum": style.SUM,
    "stub": "+3",
    "part": "- -▷",
    "twice": style.times(2),
}
"""Kind -> the sign, where that is a word."""


def meaning(kind: str) -> str:
    """Return what a sign means."""
    return translate(_MEANINGS[kind])


def value_name(picture: GraphPicture) -> str:
    """Return what the values of a picture are called."""
    misere = picture.solution is not None and picture.solution.play == "misere"
    return translate("misère value" if misere else "Grundy value")


def legend_signs(picture: GraphPicture) -> list[tuple[str, str]]:
    """Return the kinds of signs in a drawing of every position, and what they mean."""
    solution, options = picture.solution, picture.options
    solved = solution is not None
    shown = {
        "centre": bool(picture.centres),
        "P": solved and options.only in ("P", None),
        "N": solved and options.only in ("N", None),
        "D": solved and options.only in ("D", None) and picture.shows_draws,
        "genus": solved and options.values and options.genus is not None,
        "value": solved and options.values and options.genus is None,
        "infinite": solved and options.values and picture.shows_infinite_values,
        "sunny": solved and options.values and picture.shows_decisive_value(SUNNY),
        "loony": solved and options.values and picture.shows_decisive_value(LOONY),
        "token": picture.shows_tokens,
        "token win": picture.shows_token_wins,
        "win": solved and options.only is None,
        "merged": picture.shows_merged,
        "sum": picture.shows_sums,
        "part": picture.shows_parts,
        "twice": picture.shows_multiples,
        "stub": bool(picture.stubs),
    }
    kinds = [kind for kind, is_shown in shown.items() if is_shown]
    return [(kind, value_name(picture) if kind == "value" else meaning(kind)) for kind in kinds]


_MOST_NAMED = 3
_MOST_MOVES = 5


def extent(picture: GraphPicture) -> str:
    """Return the caption: who wins, where the tokens are shown; of a part, how much it is."""
    solution, graph = picture.solution, picture.graph
    if picture.chosen is None and picture.counts is None and solution is None:
        return translate(", ").join([amount(len(graph), "vertex"), amount(graph.number_of_edges(), "edge")])
    parts = [translate("misère play")] if solution is not None and solution.play == "misere" else []
    if solution is not None and _tells_winner(picture):
        return translate(", ").join(parts + _winner(solution))
    return translate(", ").join([*parts, _neighbourhood(picture) if picture.centres else _positions(picture)])


def alternative(picture: GraphPicture) -> tuple[str, str]:
    """Return a title and a description: how many positions there are, who wins, and by which moves."""
    caption = extent(picture)
    title = " ".join(printable(line, 0) for line in (picture.options.title or caption).splitlines())
    facts = [caption, *([_positions(picture), *_winning_moves(picture)] if _tells_winner(picture) else [])]
    return title, ". ".join(fact for fact in facts if fact != title)


def _tells_winner(picture: GraphPicture) -> bool:
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
        positions=_positions(picture),
    )


def _positions(picture: GraphPicture) -> str:
    """Return how many positions are shown, by outcome."""
    every, shown = _masks(picture)
    total = amount(int(every.sum()), "position")
    parts = [total]
    if picture.chosen is not None:
        parts = [translate("{count} of {positions}", count=f"{int(shown.sum()):,}", positions=total)]
    parts[0] += _stands_for(picture)
    if picture.outcome is not None:
        outcomes = "PND" if isinstance(picture.solution, LoopySolution) else "PN"
        parts += [f"{int((picture.outcome[shown] == outcome).sum()):,} {outcome_word(outcome)}" for outcome in outcomes]
    return translate(", ").join(parts)


def size_words(picture: GraphPicture, numbers: np.ndarray) -> str:
    """Return how many positions and how many sums are among some vertices, in words."""
    sums = 0 if picture.graph.sums is None else int(np.count_nonzero(picture.graph.sums[numbers]))
    positions = amount(len(numbers) - sums, "position") + _stands_for(picture)
    return translate(", ").join([positions, amount(sums, "sum")]) if sums else positions


def _stands_for(picture: GraphPicture) -> str:
    """Return for how many equal positions those shown stand, in words; nothing where equal ones are not merged."""
    if picture.counts is None:
        return ""
    counts = picture.counts[_masks(picture)[1]]
    if not (counts > 1).any():
        return translate(" (no two are equal)")
    return translate(" that stand for {count}", count=f"{int(counts.sum()):,}")


def _masks(picture: GraphPicture) -> tuple[np.ndarray, np.ndarray]:
    """Return which vertices are positions, and which of these are shown."""
    every = np.ones(len(picture.graph), np.bool_) if picture.graph.sums is None else ~picture.graph.sums
    return every, every if picture.chosen is None else every & picture.chosen


def _winner(solution: Solution) -> list[str]:
    count = len(solution.tokens or ())
    try:
        winner = verdict_text(solution.winner)
    except LimitError:
        return [amount(count, "token")]
    if count <= 1 or solution.play == "misere":
        return [winner]
    return [winner, translate("nim-sum {total}", total=solution.nim_sum)]


def _winning_moves(picture: GraphPicture) -> list[str]:
    moves = [component_move_text(move) for move in picture.winning_moves[:_MOST_MOVES]]
    if len(picture.tokens or ()) == 1:
        moves = [f"{printable(move.start)} -> {printable(move.end)}" for move in picture.winning_moves[:_MOST_MOVES]]
    if not moves:
        return []
    return [
        translate("Winning moves: {moves}", moves="; ".join(capped(moves, len(picture.winning_moves), _MOST_MOVES)))
    ]


_FEW = 60
_LARGEST = 6


def heading(picture: GraphPicture) -> style.Attributes:
    """Return the attributes of a graph that write title, caption and legend above it, or below.

    They are the graph's own label, so that they are no vertices and take no part in the layout; they grow with the
    picture, so that they can be read where the whole of it is seen.
    """
    legend = _Legend(picture)
    lines = [(18, picture.options.title), (13, picture.options.caption)]
    if picture.options.title is None:
        lines[0] = 18, extent(picture)
    elif picture.options.title and picture.options.caption is None:
        lines[1] = 13, extent(picture)
    rows = [legend.row(legend.words(markup(line), size)) for size, line in lines if line]
    if picture.options.legends and (entries := legend.entries()):
        signs = f'<TABLE BORDER="0" CELLSPACING="2" CELLPADDING="1">{"".join(entries)}</TABLE>'
        if picture.options.legend == "right" and rows:
            beside = f'<TABLE BORDER="0" CELLSPACING="2">{"".join(rows)}</TABLE>'
            rows = [f'<TR><TD VALIGN="TOP">{beside}</TD><TD WIDTH="20"></TD><TD>{signs}</TD></TR>']
        else:
            rows.append(legend.row(signs))
    if not rows:
        return {}
    table = f'<TABLE BORDER="0" CELLSPACING="2">{"".join(rows)}<TR><TD></TD></TR></TABLE>'
    ink, place = quote(picture.theme.ink), "b" if picture.options.legend == "below" else "t"
    return {"label": f"<{table}>", "labelloc": place, "labeljust": "l", "fontname": style.FONT, "fontcolor": ink}


class _Legend:
    """The signs of a picture, in a size that fits it."""

    def __init__(self, picture: GraphPicture) -> None:
        self.picture = picture
        self.theme = picture.theme
        self.scale = min(max(1, sqrt(picture.vertex_count() / _FEW)), _LARGEST)

    def entries(self) -> list[str]:
        """Return a row for each kind of sign in the picture."""
        return [self._entry(self._sign(kind), meaning) for kind, meaning in legend_signs(self.picture)]

    def _sign(self, kind: str) -> str:
        if kind in "PND":
            return self._swatch(kind, dict(zip("PND", self.theme.fills, strict=True))[kind])
        if kind == "token":
            return f'<FONT COLOR="{self.theme.token}">{self.words(style.pieces(1))}</FONT>'
        return self._line(5 if kind == "token win" else 2) if kind in ("token win", "win") else SIGNS[kind]

    def row(self, cell: str) -> str:
        """Return a row of the heading."""
        return f'<TR><TD ALIGN="LEFT" BALIGN="LEFT">{cell}</TD></TR>'

    def words(self, text: str, size: int = 10) -> str:
        """Return words of a size in points, where the picture is small."""
        return f'<FONT POINT-SIZE="{size * self.scale:.3g}">{text}</FONT>'

    def _entry(self, sign: str, meaning: str) -> str:
        sign = sign if sign.startswith("<") else self.words(sign)
        # the many columns take the space that a wide title leaves, so that sign and meaning stay together
        return f'<TR><TD>{sign}</TD><TD ALIGN="LEFT" COLSPAN="20">{self.words(f"&#160;{meaning}")}</TD></TR>'

    def _swatch(self, letter: str, color: str) -> str:
        """Return the outline of a position of this outcome in small."""
        rounded, double = (' STYLE="ROUNDED"', 1) if letter == "P" else ("", 0)
        sign = f'<FONT COLOR="{style.ink_on(color)}">{self.words(f"⬡ {letter}" if letter == "D" else letter, 9)}</FONT>'
        return (
            f'<TABLE BORDER="1" CELLBORDER="{double}" CELLSPACING="{2 * double}" CELLPADDING="0" '
            f'COLOR="{self.theme.outline}"{rounded}><TR><TD WIDTH="{22 * self.scale:.0f}"{rounded} '
            f'BGCOLOR="{color}">{sign}</TD></TR></TABLE>'
        )

    def _line(self, width: int) -> str:
        """Return an edge in small."""
        wide, high = 24 * self.scale, width * self.scale
        return (
            '<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="0"><TR>'
            f'<TD FIXEDSIZE="TRUE" WIDTH="{wide:.0f}" HEIGHT="{high:.0f}" BGCOLOR="{self.theme.winning}"></TD>'
            "</TR></TABLE>"
        )
