"""Games of splitting: into so many heaps, of which sizes the rules say; and Couples are Forever."""

from __future__ import annotations

import re
from typing import get_args

from graphgame.errors import Message, OptionError, ParseError
from graphgame.heaps.heapgame import HeapGame
from graphgame.heaps.partitions import Sizes
from graphgame.heaps.rules import Equal, TakeAndBreak
from graphgame.rules.ruleset import About, Ruleset

_MOST_HEAPS = 4
_SPLIT = re.compile(
    r"\s*(?:(?P<least>\d{1,9})(?:\s*\.\.\s*(?P<most>\d{1,9}))?)?\s*(?P<kind>|equal|unequal|not\s+all\s+equal)\s*",
    re.ASCII,
)


class Couples(HeapGame):
    """The rules of Couples are Forever.

    Examples
    --------
    >>> list(Couples().options(5)), list(Couples().options(2))
    ([Sum(1, 4), Sum(2, 3)], [])
    """

    about = About(
        "Couples are Forever: split a heap in two, but never a heap of 2.",
        "``couples(9)`` is a heap of 9.",
        theorem="A heap of n + 1 has the value of n in Officers, the octal game 0.6: whether the values are periodic "
        "is open.",
        source="I. Caines, C. Gates, R. K. Guy, R. J. Nowakowski, Periods in taking and splitting games, American "
        "Mathematical Monthly 106 (1999). OEIS A046695.",
    )

    def __init__(self) -> None:
        super().__init__(TakeAndBreak({0: 4}, least=3), "couples")


class Split(HeapGame):
    """The rules of games that split heaps.

    Examples
    --------
    >>> list(Split(2, 3, "not all equal").options(6))
    [Sum(1, 5), Sum(2, 4), Sum(1, 1, 4), Sum(1, 2, 3)]
    >>> list(Split(3, 3, "unequal").options(8))
    [Sum(1, 2, 5), Sum(1, 3, 4)]
    >>> list(Split(2, None, "equal").options(6))
    [Sum(3, 3), Sum(2, 2, 2), Sum(1, 1, 1, 1, 1, 1)]
    """

    about = About(
        "Split a heap into two or more, of which sizes the rules say.",
        "``split{2..3}(9)`` splits a heap into 2 or 3; ``split{unequal}(9)`` into two of different sizes, as Grundy's "
        "game does; ``split{2..3 unequal}(9)`` into 2 or 3, no two of one size, ``split{2..3 not all equal}(9)`` into "
        "2 or 3 that are not all of one size; ``split{equal}(9)`` into any number of equal heaps, ``split{2..3 "
        "equal}(9)`` into 2 or 3.",
        theorem="Split into any number of equal heaps: the value is the number of odd prime factors of the heap, each "
        "as often as it divides it, and 1 more if the heap is even. For an even number of equal heaps has the value 0, "
        "an odd number that of one.",
        source="P. M. Grundy, Mathematics and games, Eureka 2 (1939).",
    )

    def __init__(self, least: int = 2, most: int | None = 2, kind: Sizes = "") -> None:
        if kind not in get_args(Sizes):
            raise OptionError(
                "unknown kind {kind!r}: expected one of {kinds}", kind, ", ".join(map(repr, get_args(Sizes)))
            )
        if not 2 <= least <= (least if most is None else most) or (
            kind != "equal" and (most or _MOST_HEAPS + 1) > _MOST_HEAPS
        ):
            wanted = Message("2 or more") if kind == "equal" else f"2 to {_MOST_HEAPS}"
            raise OptionError(
                "a move cannot leave {least}..{most} heaps: expected {expected}, the smaller number first",
                least,
                most,
                wanted,
            )
        if most == 2 and kind == "not all equal":
            kind = "unequal"
        number = "" if most is None else f"{least}" if least == most else f"{least}..{most}"
        arguments = "unequal" if (most, kind) == (2, "unequal") else f"{number} {kind}".strip()
        rules = TakeAndBreak({0: (2 << most) - (1 << least)}, kind) if most and kind != "equal" else Equal(least, most)
        super().__init__(rules, f"split{{{arguments}}}", arguments)

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for ``2..3``, ``unequal``, ``3 unequal``, ``2..3 not all equal``, ``equal``, ``3 equal``."""
        found = _SPLIT.fullmatch(text)
        if found is None or not text.strip():
            raise ParseError(
                "expected how a heap is split, such as 2..3, unequal, equal or 2..3 not all equal", column=1
            )
        kind: Sizes = " ".join(found["kind"].split())  # type: ignore[assignment]
        least = int(found["least"] or 2)
        most = int(found["most"]) if found["most"] else None if found["least"] is None and kind == "equal" else least
        try:
            return cls(least, most, kind)
        except OptionError as error:
            raise ParseError(str(error), column=1) from None
