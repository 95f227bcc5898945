"""User code that mypy and pyright check but nobody runs: each ignored line is an error that an editor must show."""

from collections.abc import Iterable
from typing import Literal

import networkx as nx
import numpy as np

from graphgame import (
    GameGraph,
    Position,
    Ruleset,
    draw,
    explore,
    heaps,
    nimbers,
    parse_position,
    scale,
    solve,
    tables,
    theory,
    to_pydot,
    verify,
)


class Mine(Ruleset):
    def options(self, heap: int) -> Iterable[int]:
        return range(max(heap - 3, 0), heap)

    def parse(self, word: str) -> int:
        return int(word.removeprefix("heap "))

    def format(self, heap: int) -> str:
        return f"heap {heap}"


def session() -> None:
    """Use the package; never called."""
    graph = nx.DiGraph([(1, 2), (2, 3)])
    solution = solve(graph)
    outcome: Literal["P", "N", "D"] = solution.outcome[1]
    if outcome == "X":  # type: ignore[comparison-overlap]
        return

    solve([(1, 2), (2, 3)])
    solve([[1, 2], [2, 3]])
    solve({1: [2, 3], 2: [3]})
    solve(np.array([[0, 1], [0, 0]]))
    solve("nim(3,4,5)")
    solve(explore(Mine(), 9))
    verify(graph, solution)
    verify(game=theory.reduce(GameGraph(graph), heaps=True).graph, values={1: 0, 2: 1, 3: 0})

    solve(graph, misere=True, loopy=True)
    solve(graph, engine="compiled")
    solve(graph, misere="misere")  # type: ignore[arg-type]
    solve(graph, engine="fast")  # type: ignore[arg-type]
    position: Position = parse_position("nim(3,4,5)")
    bits: int = solution.nim_sum | position.nim_sum | position.grundy
    solution.nim_sum.upper()  # type: ignore[attr-defined]
    solve(GameGraph([(1, bits)]))
    print(heaps.octal("0.77").grundy_values(10).tolist(), heaps.study.records, scale.disk.solve)
    product: int = nimbers.product(19, 23)
    products = nimbers.product(np.arange(product), 2).tolist()
    tables.plot_values(tables.p_positions("wythoff(0..9, 0..9)"), f"{len(products)}.svg")

    draw(graph, "game.svg", theme="dark", colors=["orange", "#ffffff"], legend="right", ratio="4:3")
    draw(graph, "game.svg", theme="drak")  # type: ignore[arg-type]
    draw(graph, "game.svg", colour="orange")  # type: ignore[call-arg]
    to_pydot(graph, only="P", steps=2.5)  # type: ignore[arg-type]
