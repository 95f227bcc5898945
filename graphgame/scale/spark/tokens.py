"""Who wins the sum of some tokens, and by which moves, from values that lie in a frame."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import TYPE_CHECKING, Literal

from graphgame.errors import Message, TokenError, UnknownPositionError
from graphgame.results import Move
from graphgame.scale.spark.coding import sum_column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row


@dataclass(frozen=True)
class SumVerdict:
    """Who wins a sum.

    Attributes
    ----------
    tokens : tuple of hashable
        The components.
    values : tuple of int
        Their Grundy values.
    winning_moves : list of Move
        By component, then by the option's name.
    """

    tokens: tuple[Hashable, ...]
    values: tuple[int, ...]
    winning_moves: list[Move]

    @property
    def nim_sum(self) -> int:
        """The xor of the values."""
        return reduce(xor, self.values, 0)

    @property
    def winner(self) -> Literal["first", "second"]:
        """Who wins with best play."""
        return "first" if self.nim_sum else "second"


def verdict(
    edges: DataFrame,
    values: DataFrame,
    tokens: Iterable[Hashable],
    source: str = "source",
    target: str = "target",
    sums: str | None = None,
) -> SumVerdict:
    """Say who wins the sum of some positions.

    Parameters
    ----------
    edges : DataFrame
    values : DataFrame of (position, grundy)
        From :func:`graphgame.scale.spark.solve`.
    tokens : iterable of hashable
        The components, one position each; two may stand on one position.
    source, target, sums : str
        Columns of the edges, as for :func:`graphgame.scale.spark.solve`.

    Raises
    ------
    UnknownPositionError
        A token has no value.
    TokenError
        The tokens are a text, or one of them stands on a sum.
    """
    from pyspark.sql import functions as f

    if isinstance(tokens, (str, bytes)):
        raise TokenError("tokens is a list of positions: write [{tokens!r}]", tokens)
    components = tuple(tokens)
    places = sorted(set(components), key=str)
    value = _values(values, places)
    for token in components:
        if token not in value:
            raise UnknownPositionError(token, Message("has a token but is not a vertex of the graph"))
    if (flag := sum_column(edges, sums)) is not None:
        _check_no_sum(edges.where(flag).where(f.col(source).isin(places)).select(source).first())
    total = reduce(xor, (value[token] for token in components), 0)
    moves = []
    if total:
        options = edges.where(f.col(source).isin(places)).select(
            f.col(source).alias("start"), f.col(target).alias("end")
        )
        led = options.distinct().join(values, f.col("end") == values.position).orderBy("end")
        found = led.select("start", "end", "grundy").collect()
        moves = [
            Move(place, token, row.end)
            for place, token in enumerate(components)
            for row in found
            if row.start == token and row.grundy == value[token] ^ total
        ]
    return SumVerdict(components, tuple(value[token] for token in components), moves)


def _check_no_sum(found: Row | None) -> None:
    if found is not None:
        raise TokenError("token {token!r} stands on a sum: put a token on each of its parts instead", found[0])


def _values(values: DataFrame, places: list[Hashable]) -> dict[Hashable, int]:
    from pyspark.sql import functions as f

    if not places:
        return {}
    kind = values.schema["position"].dataType.typeName()
    alike = all(isinstance(place, str) == (kind == "string") for place in places)
    if not alike:
        return {}
    return {row.position: row.grundy for row in values.where(f.col("position").isin(places)).collect()}
