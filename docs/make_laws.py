"""Write docs/laws-table.md: the laws that graphgame finds for about seventy games, with processor times.

``python docs/make_laws.py``
"""

from __future__ import annotations

import time
from pathlib import Path

from graphgame.labs.laws import laws

PAGE = Path(__file__).with_name("laws-table.md")

_WIDE = "a' < a and b' < b and abs(a - a' - b + b') < {}"
_DIAGONAL = "a' < a and a - a' = b - b'"


def _two_heaps(*more: str, guard: str = "") -> str:
    return "; ".join(f"{guard}{move}" for move in ("a' < a and b' = b", "a' = a and b' < b", *more))


GAMES = [
    *(
        "bash{3}(n)",
        "bash{6}(n)",
        "bash{10}(n)",
        "bash{k}(n)",
        "take{1,3,4}(n)",
        "take{2,3}(n)",
        "take{1,4,6}(n)",
        "take{odd}(n)",
    ),
    *("take{even}(n)", "take{not 2}(n)", "nim(a,b)", "nim(a,b,c)", "take{1,2}(a) + nim(b)", "bash{4}(a) + bash{2}(b)"),
    *("kayles(a,b)", "take{1,3,4}(a) + kayles(b)"),
    *("kayles(n)", "dawson-kayles(n)", "dawson-chess(n)", "guiles(n)", "octal{0.17}(n)", "octal{0.26}(n)"),
    *("octal{0.4}(n)", "octal{0.44}(n)", "octal{0.45}(n)", "octal{0.156}(n)", "octal{0.137}(n)", "octal{0.71}(n)"),
    *(
        "lasker(n)",
        "wythoff(a,b)",
        "wythoff{2}(a,b)",
        "wythoff{3}(a,b)",
        "wythoff{4}(a,b)",
        "wythoff{b != a}(a,b)",
        "euclid(a,b)",
    ),
    *("fibonacci(n)", "take-away{a <= k}(n)", "take-away{a < 2k}(n)", "mem(n)", "staircase(a,b,c)", "nimble(a,b)"),
    *("moore{2}(a,b,c)", "chomp(a,b)", "ruler(n)", "turning-turtles(n)", "mock-turtles(n)", "whiteboard{3}(n)"),
    *("twins(n)", "triplets(n)", "ruler-fives(n)", "triplet-fives(n)"),
    _two_heaps(_DIAGONAL, guard="a + b > 1 and "),
    _two_heaps(_DIAGONAL, guard="a + b > 3 and "),
    _two_heaps("a' = a - 1 and b' = b - 1"),
    _two_heaps(_DIAGONAL, "a' = a - 1 and b' = b - 2"),
    _two_heaps(_WIDE.format(2), guard="a + b > 2 and "),
    _two_heaps(_WIDE.format(3), guard="a + b > 1 and "),
    *("wythoff{b < 2a + 1}(a,b)", "wythoff{b < 2a + 2}(a,b)"),
    *("n' < n and 2*n' >= n", "n' < n and 3*n' >= n", "n % 2 = 0 and n' < n; n' = n // 2 and n' < n"),
    *("grundy(n)", "octal{0.007}(n)", "chomp(a,b,c)", "take-away{a <= 3k}(n)"),
]
MISERE = [_two_heaps(), _two_heaps(_DIAGONAL), "bash{3}(n)", "take{1,3,4}(n)", "nim(a,b,c)"]
MISERE += ["kayles(n)", "guiles(n)", "octal{0.72}(n)", "octal{0.75}(n)"]


def row(source: str, misere: bool = False) -> str:
    """Return the table row of a game, without the time."""
    table = laws.law_table(source, misere=misere)
    law_about = {law.about: law for law in laws.laws_of(table)}
    cells = [f"`{source}`" + (", misère" if misere else "")]
    kinds = (("values", "rows"), ("P-positions", "P-positions"), ("winning moves", "a winning move"))
    for about, kind in kinds:
        law = law_about.get(about) or law_about.get(kind)
        text = "" if law is None else f"{law.text}: {'**proved**' if law.proof else law.grounds}"
        for start in ("P-positions", "winning moves"):
            text = text.removeprefix(f"{start}: ").removeprefix(f"{start} of misère play: ")
        is_required = about == "P-positions" or (about == "values" and table.quotient is None)
        cells.append(text.replace("|", r"\|") or ("no law found" if is_required else ""))
    return " | ".join(cells)


def main() -> None:
    """Write the page."""
    lines = [
        "# Laws of seventy games",
        "",
        "After this page you know which laws `graphgame law` finds and proves for about seventy games if you give",
        "it no guess, and how long this takes ([laws](laws.md) explains the method). *Proved* means that the law",
        "is proved for all positions that it describes. If it was only compared with some of them, the table says",
        "how many. The word *none* for the P-positions means that every position is an N-position. In a law of",
        "rows the period p depends on the row a. Numeration systems such as *Fibonacci 2,2* are explained in the",
        "[reference](laws.md#reference). A cell for winning moves is empty if no law of them was found. Under",
        "misère play, heaps that split have no values that can be added, so the cell for values is empty. The last",
        "column has the processor time in seconds, including the time to compute the values.",
        "`python docs/make_laws.py` writes this page.",
        "",
        "| Game | Values | P-positions | Winning moves | s |",
        "|---|---|---|---|---|",
    ]
    for source, misere in [*((source, False) for source in GAMES), *((source, True) for source in MISERE)]:
        start = time.process_time()
        made = row(source, misere)
        lines.append(f"| {made} | {time.process_time() - start:.1f} |")
        print(lines[-1], flush=True)
    PAGE.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
