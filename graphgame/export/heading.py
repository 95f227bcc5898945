"""What stands above a picture in DOT: its title, and a legend of the signs in it."""

from __future__ import annotations

from math import sqrt

from graphgame.export import style
from graphgame.export.captions import markup
from graphgame.export.legend import SIGNS, legend_signs
from graphgame.export.picture import GraphPicture
from graphgame.export.summary import extent
from graphgame.io.dot import quote

__all__ = ["heading"]

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
