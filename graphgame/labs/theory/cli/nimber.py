"""``graphgame nimber``: nim arithmetic."""

from __future__ import annotations

import click

from graphgame.cli import common
from graphgame.cli.common import OutputOptions, takes_output
from graphgame.cli.errors import UsageError
from graphgame.cli.language import examples

_MOST = 256

_EXAMPLES = examples(
    ('graphgame nimber "7*9"', ""),
    ('graphgame nimber "4*4 + 19*23"', "+ is xor, * and / come first"),
    ('graphgame nimber "14 ^ 21"', "xor again, as in Python; also 14 xor 21"),
    ('graphgame nimber "4**3"', "a nim power; the exponent is an ordinary integer"),
    ('graphgame nimber "1/7"', "the inverse"),
    ('graphgame nimber "sqrt(6)**5"', ""),
    ('graphgame nimber "mex{0, 1, 2*3}"', "the least number that is missing"),
    ("graphgame nimber --table 16", "the products of 0..15"),
    ("graphgame nimber --table 16 -o products.tex", ""),
)


@click.command("nimber", epilog=_EXAMPLES)
@click.argument("expression", required=False)
@click.option(
    "--table",
    type=common.Integer(min=1, max=_MOST),
    metavar="N",
    help=f"Print the products of 0..N-1, N up to {_MOST}.",
)
@takes_output(csv="", json="", latex="")
def command(expression: str | None, table: int | None, out: OutputOptions) -> None:
    """Print the number that EXPRESSION stands for in the field of nimbers, the Grundy values.

    Addition is xor, multiplication is that of Conway: the value of a coin in the product of two coin-turning games is
    the nim product of its values in both. + and ^ and xor are all xor, and ** is a power: 4^3 is 7, 4**3 is 4*4*4,
    which is 14. As in Python ** binds closest, then * and /, then + and ^. An exponent is one integer: write a power of
    a power as (4**3)**2.
    """
    from graphgame.text.latex import latex_table

    if (expression is None) == (table is None):
        raise UsageError('give an expression such as "7*9", or --table N')
    if expression is not None:
        from graphgame.labs.theory.nimbers import nim_evaluate, nim_latex

        found = nim_evaluate(expression)
        out.put(
            text=lambda: f"{found}\n",
            csv=lambda: [("expression", "value"), (expression, found)],
            json=lambda: {"expression": expression, "value": found},
            latex=lambda: f"${nim_latex(expression)} = {found}$\n",
        )
    elif table is not None:
        numbers, rows = range(table), _products(table)
        named = [(number, *row) for number, row in zip(numbers, rows, strict=True)]
        out.put(
            text=lambda: _text(rows),
            csv=lambda: [("", *numbers), *named],
            json=lambda: {"products": rows},
            latex=lambda: latex_table(["", *numbers], named, r"r@{\quad}" + "r" * table, whole=True),
        )


def _products(size: int) -> list[list[int]]:
    """Return the table of nim products of 0 to ``size - 1``."""
    import numpy as np

    from graphgame.labs.theory.nimbers import nim_products

    numbers = np.arange(size)
    products: list[list[int]] = nim_products(numbers[:, None], numbers).tolist()
    return products


def _text(rows: list[list[int]]) -> str:
    width = len(str(max(map(max, rows))))
    return "".join(" ".join(f"{entry:>{width}}" for entry in row) + "\n" for row in rows)
