"""What stands above a picture: its title, and a legend of the signs in it."""

from __future__ import annotations

from math import sqrt

from graphgame.export import style
from graphgame.export.captions import markup
from graphgame.export.picture import GraphPicture
from graphgame.export.summary import extent
from graphgame.io.dot import quote
from graphgame.solution import Solution

__all__ = ["heading"]

_MEANING = {"P": "previous player wins", "N": "next player wins", "D": "draw: nobody can force an end"}
_FEW = 60
_LARGEST = 6


def heading(picture: GraphPicture) -> style.Attributes:
    """Return the attributes of a graph that write title, caption and legend above it.

    They are the graph's own label, so that they are no vertices and take no part in the layout; they grow with the
    picture, so that they can be read where the whole of it is seen.
    """
    title, caption = picture.options.title, picture.options.caption
    if title is None:
        title = extent(picture)
    elif title and caption is None:
        caption = extent(picture)
    legend = _Legend(picture)
    rows = [legend.row(legend.words(markup(line), size)) for size, line in ((18, title), (13, caption)) if line]
    if picture.options.legend and (entries := legend.entries()):
        rows.append(legend.row(f'<TABLE BORDER="0" CELLSPACING="2" CELLPADDING="1">{"".join(entries)}</TABLE>'))
    if not rows:
        return {}
    table = f'<TABLE BORDER="0" CELLSPACING="2">{"".join(rows)}<TR><TD></TD></TR></TABLE>'
    ink = quote(picture.theme.ink)
    return {"label": f"<{table}>", "labelloc": "t", "labeljust": "l", "fontname": style.FONT, "fontcolor": ink}


class _Legend:
    """The signs of a picture, in a size that fits it."""

    def __init__(self, picture: GraphPicture) -> None:
        self.picture = picture
        self.theme = picture.theme
        self.scale = min(max(1, sqrt(picture.vertex_count() / _FEW)), _LARGEST)

    def entries(self) -> list[str]:
        """Return a row for each kind of sign in the picture."""
        picture, solution, only = self.picture, self.picture.solution, self.picture.options.only
        signs = [(style.CENTRE, "drawn around this position")] if picture.centres else []
        if solution is not None:
            for outcome, color in zip("PND", self.theme.fills, strict=True):
                if only in (outcome, None) and (outcome != "D" or picture.shows_draws):
                    signs.append((self._swatch(outcome, color), _MEANING[outcome]))
            if picture.options.values:
                signs.append(self._values(solution))
                if picture.shows_infinite_values:
                    signs.append(("inf(0,2)", "infinite value: its options have the finite values 0, 2"))
        if picture.shows_tokens:
            signs.append((style.pieces(1, self.theme), "token"))
        if picture.shows_token_wins:
            signs.append((self._line(5), "winning move of the tokens"))
        if solution is not None and only is None:
            signs.append((self._line(2), "move to a P-position"))
        if picture.shows_merged:
            signs.append((style.times(3), "3 equal positions, drawn as one"))
        if picture.shows_sums:
            signs.append((style.SUM, "sum of its parts, outlined in dashes"))
        if picture.stubs:
            signs.append(("+3", "3 more moves, not shown"))
        return [self._entry(sign, meaning) for sign, meaning in signs]

    def _values(self, solution: Solution) -> tuple[str, str]:
        if self.picture.options.genus is not None:
            return (
                "2, 2^2, 4^146",
                "genus: a heap of Nim, or normal value ^ misère values with 0, 1, 2, ... heaps of two",
            )
        return "0, 1, 2", "misère value" if solution.play == "misere" else "Grundy value"

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
