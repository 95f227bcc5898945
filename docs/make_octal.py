"""Write docs/octal-codes.md: what is proved of all octal codes of three digits, beside what is known of them elsewhere.

``python docs/make_octal.py`` (a minute)
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from graphgame.heaps import game
from graphgame.heaps.search import SearchRow, search

PAGE = Path(__file__).with_name("octal-codes.md")
PATTERN, LIMIT, LARGER_LIMIT = "0.ddd", 100_000, 30_000_000

UNSOLVED = """
04 06 14 36 64 74 76 004 005 006 014 015 016 024 026 034 054 064 104 106 114 125 126 135 136 142 143 146 161 162 163 164
166 167 172 174 204 205 206 207 224 244 245 264 314 324 334 336 342 344 346 362 364 366 371 374 404 414 416 444 454 564
604 606 744 764 774 776 6
"""
"""Codes, after the point, that https://github.com/tczajka/octal-games lists as without a known period."""

FLAMMENKAMP = {
    "0.106": "period 328,226,140,474 (Flammenkamp)",
    "0.454": "period 60,620,715, last exception 160,949,017 for .1777, the same values (Flammenkamp, OEIS A071509)",
}
LARGER = ("0.16", "0.354", "0.376", "0.56")
"""Codes whose published periods need more heaps than the search tries: up to LARGER_LIMIT."""

_OPEN = {f"0.{digits}" for digits in UNSOLVED.split()}


def line(row: SearchRow) -> str:
    """Return the line of a row of the search; some codes are tried with more heaps."""
    codes = (row.code, *row.same_as)
    known = next((text for code, text in FLAMMENKAMP.items() if code in codes), "")
    is_open = not _OPEN.isdisjoint(codes)
    if row.code in LARGER:
        found = game(row.code).period(LARGER_LIMIT)
        if found is not None:
            row = replace(row, preperiod=found.preperiod, period=found.period, last_heap=found.last_heap)
    numbers = ["", "", ""] if row.period is None else [f"{n:,}" for n in (row.preperiod, row.period, row.last_heap)]
    status = "open" if row.period is None else "**proved**"
    elsewhere = known or ("no period known" if is_open else "period published" if row.period else "")
    more = ", ".join(code.removeprefix("0") for code in row.same_as)
    return f"| `{row.code}` | {more} | {status} | {' | '.join(numbers)} | {elsewhere} |"


def page(lines: list[str], codes: int) -> str:
    """Return the page with its lines for so many codes."""
    proved = sum("**proved**" in made for made in lines)
    head = f"""# Octal codes of three digits

The {codes} octal codes with up to three digits after the point are {len(lines)} games: codes of a line are proved to
have the same values, but for zeros at the start ([why](heaps.md)). The period of {proved} is proved here, by the values
up to the heap that is named; n0 is the least heap from which the values of the first code repeat. *Open* are those of
which the heaps to {LIMIT:,} prove no period; {", ".join(LARGER)} were tried up to {LARGER_LIMIT:,}. *No period
known* says T. Czajka's list of unsolved octal games (github.com/tczajka/octal-games); A. Flammenkamp's tables
(Sprague-Grundy Values of Octal-Games) have proofs from far more heaps. Written by `python docs/make_octal.py`.

| Code | The same values | Here | n0 | Period | Last heap of the proof | Elsewhere |
| --- | --- | --- | ---: | ---: | ---: | --- |
"""
    return head + "\n".join([*lines, ""])


def main() -> None:
    """Write the page."""
    rows = search(PATTERN, LIMIT)
    codes = sum(1 + len(row.same_as) for row in rows)
    PAGE.write_text(page(list(map(line, rows)), codes), encoding="utf-8")


if __name__ == "__main__":
    main()
