"""The entries of the catalogue for games whose positions are a few numbers."""

from __future__ import annotations

from graphgame.rules.ruleset import About, Entry

GAMES = (
    Entry("moore", "labs.tables.moore", "Moore", "moore{2}(3,4,5)"),
    Entry("wythoff", "labs.tables.wythoff", "Wythoff", "wythoff(3,5)"),
    Entry("euclid", "labs.tables.wythoff", "Euclid", "euclid(25,7)"),
    Entry("fibonacci", "labs.tables.take_away", "Fibonacci", "fibonacci(13)"),
    Entry("take-away", "labs.tables.take_away", "TakeAway", "take-away{a <= 3k}(20:2)"),
    Entry(
        "mem",
        "labs.tables.take_away",
        "TakeAway",
        "mem(20:3)",
        "a >= k",
        About(
            "Mem: take from a heap at least as many as were taken from it last; the first move takes any number.",
            "This is take-away{a >= k}: a are taken now, k were taken last. mem(20:3) is a heap of 20 from which 3 "
            "were taken last.",
            "The values are computed without a formula.",
            "A. N. Siegel, CGSuite, GenMem.",
        ),
    ),
    Entry("whiteboard", "labs.tables.whiteboard", "Whiteboard", "whiteboard{3}(30)"),
    Entry("staircase", "labs.tables.strips", "Staircase", "staircase(2,0,3)"),
    Entry("nimble", "labs.tables.strips", "Nimble", "nimble(3,1,4)"),
    Entry("georgia", "labs.tables.strips", "Georgia", "georgia(1,3,7)"),
    Entry(
        "silver-dollar",
        "labs.tables.strips",
        "Georgia",
        "silver-dollar(0,2,6)",
        "0",
        About(
            "The Silver Dollar game without the dollar: Georgia and Bob, with the squares counted from 0.",
            "The notation georgia{0} names the same game. A position is the squares of the coins.",
            "The value is the xor of the gaps before every second coin, from the last coin backwards.",
            "J. H. Conway, On Numbers and Games (1976), chapter 11.",
        ),
    ),
)
