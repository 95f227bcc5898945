"""``graphgame law``: laws of a game's values and P-positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from graphgame.cli import common
from graphgame.cli.common import OutputOptions, takes_output
from graphgame.cli.errors import Failure
from graphgame.cli.language import HelpEnd, Listing
from graphgame.text.languages import render, translate
from graphgame.text.text import columns_of, padded, printable

if TYPE_CHECKING:
    from graphgame.labs.laws.automata import Automaton
    from graphgame.labs.laws.proofs import Law

_WIDEST_LAW = 50
"""Laws of up to this many columns are padded, so that the ``Law.grounds`` after them begin in the same column."""

_MOST_DETAILS = 10
"""Without --steps, if a law has more lines of details, three dots replace all but the first 8 and the last 2."""


_EXAMPLES = HelpEnd(
    Listing(
        "Examples:",
        ('graphgame law "take{1,2,3}(n)"', "one heap"),
        ('graphgame law "wythoff(a,b)"', "positions of two numbers"),
        ('graphgame law "bash{k}(n)"', "all rules of a family"),
        ("graphgame law \"a' < a and b' = b; a' = a and b' < b\"", "moves: a prime marks a number after the move"),
        ("graphgame law kayles", "the example of this game, with letters in place of its numbers"),
        ('graphgame law "mock-turtles(n)"', "a single head at place n of a row of coins"),
        ('graphgame law "take{1,3,4}(n)" --guess "n % 7 in {0, 2}"', "test a guess about the P-positions"),
        ('graphgame law "rules.py:Mine(n)" --guess "n % 5"', "test a guess about the values"),
        ('graphgame law "staircase(a,b,c)" --steps', "also list the statements decided for each proof"),
        ('graphgame law "wythoff(a,b)" -o law.json', "with the proofs, for: graphgame verify law.json"),
    ),
    'A guess may have the letters that stand for numbers, integers, + - * // % mod ** ^ & | (^ and "a xor b" are xor, '
    'as for graphgame nimber), comparisons, in, and, or, not, "x if c else y", lists such as (0, 2)[n % 2], min, max, '
    "abs, gcd, popcount, bit_length, v2 (how often 2 divides), zeckendorf (the smallest Fibonacci number in "
    "Zeckendorf's sum), and floor of sums and products with phi or sqrt(k), which may be divided by a positive "
    "integer. If the position has one number, a guess may also have g(...), the value of a smaller number.",
    "Exit status: 0, or 2 when a guess is wrong or the command fails.",
)


@click.command("law", epilog=_EXAMPLES)
@click.argument("source", shell_complete=common.complete_game)
@click.option(
    "--guess",
    metavar="FORMULA",
    help="Test a formula for the values, or a statement that is true exactly for the P-positions.",
)
@click.option("--misere", is_flag=True, help="A player who cannot move wins.")
@click.option(
    "--steps",
    is_flag=True,
    help="Print the steps of each proof, all details, and the simpler formula that fits the longest table.",
)
@takes_output(package="amsmath", json="with the proofs, for graphgame verify", latex="")
@click.option(
    "--draw",
    metavar="OUT",
    type=click.Path(),
    help="Draw the automaton of the last law that has one, to an .svg, .png, .pdf or .dot file.",
)
@click.option(
    "--size",
    type=common.Integer(1, 1_000_000),
    metavar="N",
    help="Compare laws with the positions whose numbers are all in 0..N-1.",
)
@common.number_option("--max-positions", default=20_000, help="Size limit, in positions, of a graph that is explored.")
def command(
    source: str,
    out: OutputOptions,
    guess: str | None,
    misere: bool,
    steps: bool,
    draw: str | None,
    size: int | None,
    max_positions: int,
) -> None:
    """Find the simplest laws of the values, P-positions and winning moves of SOURCE, and prove them if possible.

    SOURCE is a position with small letters, but not x, in place of numbers; the name of a game; a code such as 0.77; or
    moves such as "a' < a", with semicolons between them, where a prime marks a number after the move. A law is called
    proved if there is a certificate for a theorem on periods, if each step of an induction over the moves was decided
    for positions of any size, or if the law follows from proved laws of the parts of a sum. Otherwise the output says
    on which positions the law was checked. Without --guess these are at least 30 positions.

    If positions have two numbers a and b and no law of their values is found, the row of values for each a = 0, 1, ...
    may still be proved to repeat. The state of a row at a column decides how the row goes on. The row is proved to
    repeat if a state occurs twice within the first 100 times --size columns.
    """
    from graphgame.labs.laws import laws
    from graphgame.labs.laws.proofs import laws_record
    from graphgame.text.latex import latex_text

    seen = laws.law_table(source, size=size, misere=misere, max_positions=max_positions, run_rules=True)
    lacking: list[str] = []
    if guess is not None:
        answer = laws.guess_of(seen, guess)
        if isinstance(answer, laws.Refutation):
            from dataclasses import asdict

            out.put(
                text=lambda: f"{render(str(answer))}\n",
                json=lambda: {"counterexample": asdict(answer)},
                latex=lambda: f"{latex_text(str(answer))}\n",
            )
            raise click.exceptions.Exit(2)
        answers = [answer]
    else:
        answers = laws.laws_of(seen)
        subjects = {law.about.replace("rows", "values") for law in answers}
        extent = render(seen.extent)
        if "values" not in subjects and seen.quotient is None:
            lacking.append(translate("values: no law was found on {positions}", positions=extent))
        if "P-positions" not in subjects:
            lacking.append(translate("P-positions: no law was found on {positions}", positions=extent))
    automaton = _automaton(answers) if draw else None
    out.put(
        text=lambda: "\n".join([*_lines(answers, steps), *lacking, ""]),
        json=lambda: laws_record(seen.text, answers),
        latex=lambda: "".join(f"{law.latex} ({latex_text(law.grounds)})\n" for law in answers),
    )
    if draw and automaton is not None:
        from graphgame.labs.laws.automata_pictures import draw_automaton

        draw_automaton(*automaton, draw)
        common.tell_of(draw)


def _lines(laws: Sequence[Law], steps: bool) -> Iterator[str]:
    texts = [render(law.text) for law in laws]
    width = max((columns_of(text) for text in texts if columns_of(text) <= _WIDEST_LAW), default=0)
    printed_steps: set[str] = set()
    for law, text in zip(laws, texts, strict=True):
        yield f"{padded(text, width, 'l')}  {render(law.grounds)}"
        details = [f"  {render(line)}" for line in law.details]
        if not steps and len(details) > _MOST_DETAILS:
            details[_MOST_DETAILS - 2 : -2] = ["  ..."]
        yield from details
        if steps:
            yield from () if law.rival is None else (f"  {render(str(law.rival))}",)
            # The proof for winning moves repeats the steps for P-positions. These are printed above: skip them.
            yield from (
                f"  {render(step.text)}" for step in law.steps if not law.of_moves or step.text not in printed_steps
            )
            printed_steps |= {step.text for step in law.steps}


def _automaton(laws: Sequence[Law]) -> tuple[Automaton, list[str]]:
    """Return the automaton of the last law that has one, and its tracks in the order in which to show them.

    An automaton may be made from the formula of a law. Raise a Failure if no law has an automaton.
    """
    from graphgame.labs.laws.formulas import after

    for law in reversed(laws):
        automaton = law.as_automaton()
        if automaton is not None:
            shown = (*law.names, *map(after, law.names), "value")
            return automaton, [name for name in shown if name in automaton.tracks]
    raise Failure("--draw: none of these laws has an automaton that can be drawn")


def check_law_file(path: str, named: str | None, _: int) -> None:
    """Print for each law of a file whether it is right, refused or not checked; exit with status 2 if one is refused.

    ``named`` is the game that the user named, as text; None if the user gave only the file. Raise a Failure if the laws
    are about a game with another text. Without ``named``, refuse laws about rules in a Python file.
    """
    from graphgame.labs.laws.proofs import check_laws, read_laws

    about, _laws = read_laws(path)
    if named is None:
        common.refuse_rules_of_file(about, path, "graphgame verify {game} {file}")
    elif named != about:
        raise Failure(
            "{file}: the laws in this file are about {source}, not about {named_source}",
            path,
            printable(about, length=0),
            printable(named, length=0),
        )
    wrong = False
    for checked in check_laws(path, run_rules=named is not None):
        click.echo(printable(render(str(checked)), length=0))
        wrong |= checked.fault is not None
    if wrong:
        raise click.exceptions.Exit(2)
