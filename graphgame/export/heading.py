"""What stands above a picture: its title, and a legend of the signs in it."""

from __future__ import annotations

from graphgame.errors import LimitError
from graphgame.export import style
from graphgame.export.captions import markup
from graphgame.export.picture import Picture
from graphgame.solution import Solution
from graphgame.text import plural

__all__ = ["heading"]


def heading(picture: Picture) -> style.Attributes:
    """Return the attributes of a graph that write title and legend above it.

    They are the graph's own label, so that they are no vertices, take no part in the layout, and stay small.
    """
    title = _verdict(picture) if picture.options.title is None else picture.options.title
    rows = [_row(f'<FONT POINT-SIZE="16">{markup(title)}</FONT>')] if title else []
    if picture.options.legend and (entries := _entries(picture)):
        rows.append(_row(f'<TABLE BORDER="0" CELLSPACING="2" CELLPADDING="1">{"".join(entries)}</TABLE>'))
    if not rows:
        return {}
    table = f'<TABLE BORDER="0" CELLSPACING="2">{"".join(rows)}<TR><TD></TD></TR></TABLE>'
    return {"label": f"<{table}>", "labelloc": "t", "labeljust": "l", "fontname": style.FONT}


def _verdict(picture: Picture) -> str:
    solution, graph = picture.solution, picture.graph
    if solution is None:
        vertices = "1 vertex" if len(graph) == 1 else f"{len(graph):,} vertices"
        return f"{vertices}, {plural(graph.number_of_edges(), 'edge')}"
    parts = ["misère play"] if solution.play == "misere" else []
    return ", ".join(parts + (_winner(solution) if solution.tokens else _counts(solution)))


def _winner(solution: Solution) -> list[str]:
    try:
        winner = f"{solution.winner} player wins"
    except LimitError:
        return [plural(len(solution.tokens or ()), "token")]
    return [winner] if solution.play == "misere" else [winner, f"nim-sum {solution.nim_sum}"]


def _counts(solution: Solution) -> list[str]:
    counts = solution.counts()
    return [plural(counts.positions, "position"), f"{counts.p_positions:,} P", f"{counts.n_positions:,} N"]


def _entries(picture: Picture) -> list[str]:
    """Return a row for each kind of sign in the picture."""
    options, solution = picture.options, picture.solution
    entries = []
    if solution is not None:
        if options.only != "N":
            entries.append(_entry(_swatch("P", options.colors[0]), "previous player wins"))
        if options.only != "P":
            entries.append(_entry(_swatch("N", options.colors[1]), "next player wins"))
        if options.values:
            entries.append(_entry("0, 1, 2", "misère value" if solution.play == "misere" else "Grundy value"))
    if picture.shows_tokens:
        entries.append(_entry("●", "token"))
    if picture.shows_token_wins:
        entries.append(_entry(_line(4), "winning move of the tokens"))
    if solution is not None and options.only is None:
        entries.append(_entry(_line(2), "move to a P-position"))
    if picture.shows_sums:
        entries.append(_entry("⊕", "sum of its parts"))
    return entries


def _row(cell: str) -> str:
    return f'<TR><TD ALIGN="LEFT" BALIGN="LEFT">{cell}</TD></TR>'


def _entry(sign: str, meaning: str) -> str:
    sign = sign if sign.startswith("<") else _small(sign)
    # the many columns take the space that a wide title leaves, so that sign and meaning stay together
    return f'<TR><TD>{sign}</TD><TD ALIGN="LEFT" COLSPAN="20">{_small(meaning)}</TD></TR>'


def _small(text: str) -> str:
    return f'<FONT POINT-SIZE="10">{text}</FONT>'


def _swatch(letter: str, color: str) -> str:
    """Return the outline of a P-position or an N-position in small."""
    ink = style.fill(color).get("fontcolor", '"#000000"')
    rounded, double = (' STYLE="ROUNDED"', 1) if letter == "P" else ("", 0)
    return (
        f'<TABLE BORDER="1" CELLBORDER="{double}" CELLSPACING="{2 * double}" CELLPADDING="0"{rounded}><TR>'
        f'<TD WIDTH="22"{rounded} BGCOLOR="{color}"><FONT POINT-SIZE="9" COLOR={ink}>{letter}</FONT></TD></TR></TABLE>'
    )


def _line(width: int) -> str:
    return (
        '<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="0"><TR>'
        f'<TD FIXEDSIZE="TRUE" WIDTH="24" HEIGHT="{width}" BGCOLOR={style.WINNING}></TD></TR></TABLE>'
    )
