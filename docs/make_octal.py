"""Write docs/octal-codes.md: proved and published periods of all octal codes of three digits.

``python docs/make_octal.py`` (some minutes)
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graphgame.labs.heaps import HeapGame, game
from graphgame.labs.heaps.search import SearchRow, search
from graphgame.labs.heaps.study import same_moves

PAGE = Path(__file__).with_name("octal-codes.md")
TABLES = Path(__file__).parent.parent / "tests" / "data"
PATTERN, LIMIT = "0.ddd", 100_000

LARGER = dict.fromkeys(("0.16", "0.354", "0.376", "0.56"), 30_000_000)
LARGER |= dict.fromkeys(("0.054", "0.104", "0.454"), 450_000_000)
"""Code -> the number of heaps to compute, for codes that need more heaps than the search."""

SOLVED_ELSEWHERE = ("0.054", "0.104", "0.106", "0.454")
"""Codes in the list of unsolved games that A. Flammenkamp has solved."""


class Published(NamedTuple):
    """A published period."""

    code: str
    period: int
    last_exception: int | None
    source: str


def read_table(topic: str) -> list[dict[str, Any]]:
    """Return the records of a table of published values, which the tests use too."""
    records: list[dict[str, Any]] = json.loads((TABLES / f"{topic}.json").read_text(encoding="utf-8"))
    return records


@cache
def published() -> tuple[Published, ...]:
    """Return the periods of octal codes in the published tables."""
    found = []
    for record in read_table("octal-normal") + read_table("oeis-octal"):
        code, expected = game(record["input"]["code"]).ruleset.arguments, record["expected"]
        if "period" in expected and "." in code:
            last = expected.get("last_exception", max(expected.get("exceptions", [-1])))
            last = expected.get("preperiod", last + 1) - 1
            source = record["source"].removeprefix("github ").split(" (")[0].split("@")[0]
            found.append(Published(code, expected["period"], None if last < 0 else last, source))
    return tuple(found)


@cache
def unsolved() -> frozenset[str]:
    """Return the codes that are published as codes without a known period."""
    (record,) = read_table("octal-unsolved")
    return frozenset(f"{code if code[0] == '4' else '0' + code}" for code in record["expected"] if "." in code)


@cache
def start(code: str) -> tuple[HeapGame, int, bytes]:
    """Return a game, its first heap of non-zero value, and the values from this heap on."""
    rules = game(code)
    values = rules.grundy_values(200).astype(np.uint32)
    zeros = int(np.argmax(values > 0))
    return rules, zeros, values[zeros : zeros + 100].tobytes()


def same(first: str, second: str) -> bool:
    """Return True if two codes are proved to have the same values apart from zeros at the start."""
    (a, zeros, values), (b, more_zeros, others) = sorted((start(first), start(second)), key=lambda each: each[1])
    return values == others and same_moves(a, b, more_zeros - zeros)


def in_print(row: SearchRow) -> list[Published]:
    """Return the published periods of a row's codes, and of longer codes with the same values after leading zeros."""
    codes = (row.code, *row.same_as)
    return [each for each in published() if each.code in codes or (len(each.code) > 5 and same(row.code, each.code))]


def elsewhere(row: SearchRow) -> str:
    """Return the last column of a row: the published period, its code if it is not the first, and the source."""
    codes = {row.code, *row.same_as}
    texts = []
    for each in in_print(row):
        last = "" if each.last_exception is None else f", last exception {each.last_exception:,}"
        of = "" if each.code == row.code else f" for {each.code.removeprefix('0')}"
        texts.append(f"period {each.period:,}{last}{of} ({each.source})")
    if not texts and not codes.isdisjoint(SOLVED_ELSEWHERE):
        return "solved (Flammenkamp)"
    return "; ".join(texts) or ("-" if codes.isdisjoint(unsolved()) else "no period known")


def tried_further(row: SearchRow) -> SearchRow:
    """Return a row of the search, with the period that more heaps prove, if any."""
    found = game(row.code).period(LARGER[row.code]) if row.code in LARGER else None
    if found is None:
        return row
    return replace(row, preperiod=found.preperiod, period=found.period, last_heap=found.last_heap)


def line(row: SearchRow) -> str:
    """Return the line of the table for a row."""
    numbers = ["", "", ""] if row.period is None else [f"{n:,}" for n in (row.preperiod, row.period, row.last_heap)]
    status = "open" if row.period is None else "**proved**"
    more = ", ".join(code.removeprefix("0") for code in row.same_as)
    return f"| `{row.code}` | {more} | {status} | {' | '.join(numbers)} | {elsewhere(row)} |"


def page(rows: list[SearchRow]) -> str:
    """Return the page."""
    codes, proved = sum(1 + len(row.same_as) for row in rows), sum(row.period is not None for row in rows)
    head = f"""# Octal codes of three digits

After this page you know which octal codes with up to three digits have a proved period, and for which no period
is known.

There are {codes} octal codes with up to three digits after the point. They are {len(rows)} different games: the
codes in one row of the table are proved to have the same values, apart from zeros at the start
([why](heaps.md#compare-two-games)). For {proved} games graphgame proves a period. For the first code of
the row, n0 is the smallest heap from which the values repeat, and the column *last heap of the proof* has the heap up
to which the proof needs values. A game is *open* if our search proved no period. We searched all codes up to heap
{LIMIT:,}, and some codes up to a larger heap:
{", ".join(f"{code} up to {n:,}" for code, n in LARGER.items())},
and 0.106 up to 1,700,000,000. The period of 0.106 is reported
to be 328,226,140,474. A proof needs far more heaps than we computed, and we know this period only from others
who cite Flammenkamp.

`graphgame heap CODE --period -n HEAPS --certificate FILE` writes a proof of a period. For the first
code of a row, HEAPS must be at least the number in the column *last heap of the proof*. The other codes of the row may
need a few heaps more. `graphgame heap check FILE` checks the proof.
`graphgame heap search 0.ddd -n 100000 --certificates DIR` writes the proofs of all games for which the heaps up
to 100,000 are enough.

The last column shows periods from those published tables that the tests of graphgame use. There are further
publications. An entry is about the first code of the row, unless it names another code (such as *for .1137*) with the
same values, apart from zeros at the start. Such a code may have more than three digits. The last exception is the
largest heap of the entry's code that does not fit the period. *No period known* means that the game is in the list of
unsolved games of github.com/tczajka/octal-games; *solved (Flammenkamp)* means that the game is in this list, but
Flammenkamp found its period. A dash means that none of these tables has the code. Flammenkamp's tables (Sprague-Grundy
Values of Octal-Games) have more periods, which begin at far larger heaps.
`python docs/make_octal.py` writes this page.

| Code | The same values | Here | n0 | Period | Last heap of the proof | In the published tables |
| --- | --- | --- | ---: | ---: | ---: | --- |
"""
    return head + "\n".join([*map(line, rows), ""])


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(list(map(tried_further, search(PATTERN, LIMIT)))), encoding="utf-8")


if __name__ == "__main__":
    main()
