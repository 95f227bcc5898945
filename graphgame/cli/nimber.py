"""``graphgame nimber``: nim arithmetic."""

from __future__ import annotations

import click

__all__ = ["command"]

_MOST = 256

_EXAMPLES = """\b
Examples:
  graphgame nimber "7*9"
  graphgame nimber "4*4 + 19*23"     # + is xor, * and / come first
  graphgame nimber "1/7"             # the inverse
  graphgame nimber "sqrt(6)^5"       # the exponent is an ordinary integer
  graphgame nimber --table 16        # the products of 0..15
"""


@click.command("nimber", epilog=_EXAMPLES, short_help="Calculate with nimbers.")
@click.argument("expression", required=False)
@click.option(
    "--table",
    type=click.IntRange(min=1, max=_MOST),
    metavar="N",
    help=f"Print the products of 0..N-1, N up to {_MOST}.",
)
def command(expression: str | None, table: int | None) -> None:
    """Print the number that EXPRESSION stands for in the field of nimbers, the Grundy values.

    Addition is xor, multiplication is that of Conway: the value of a coin in the product of two coin-turning games is
    the nim product of its values in both.
    """
    if (expression is None) == (table is None):
        raise click.UsageError('give an expression such as "7*9", or --table N')
    if expression is not None:
        from graphgame.theory.nimtext import nim_evaluate

        click.echo(nim_evaluate(expression))
    elif table is not None:
        click.echo(_table(table), nl=False)


def _table(size: int) -> str:
    import numpy as np

    from graphgame.theory.nimbers import nim_products

    numbers = np.arange(size)
    rows = nim_products(numbers[:, None], numbers).tolist()
    width = len(str(max(map(max, rows))))
    return "".join(" ".join(f"{entry:>{width}}" for entry in row) + "\n" for row in rows)
