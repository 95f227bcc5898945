"""Convert a game given as a position, a text or a path into a graph or a position, for all functions that take one."""

from __future__ import annotations

import os

from graphgame.errors import LimitError, Message, TokenError, system_message
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.io import read_game
from graphgame.io.files import PathLike, ReadProgress
from graphgame.rules.component_graphs import GraphRuleset
from graphgame.rules.notation import is_notation, meaning_of, parse_position, similar_files
from graphgame.rules.position import Component, Position
from graphgame.solution.solve import Solution


def as_graph(game: GameLike, *, run_rules: bool = False) -> GameGraph:
    """Return the graph of a game; for a position it is that of :meth:`Position.graph` with ``texts=True``.

    If a text names rules in a Python file, the file is run if ``run_rules`` is true; otherwise raise a RulesetError.

    Examples
    --------
    >>> as_graph("nim(3,4)").tokens, as_graph("chomp(2x2)").tokens
    ((3, 4), ('2,2',))
    """
    given = named_game(game, run_rules=run_rules)
    if not isinstance(given, Position):
        return given.graph if isinstance(given, Solution) else GameGraph.of(given)
    try:
        return given.graph(texts=True)
    except LimitError as error:
        if given.theorem.outcome is None:
            raise
        hint = Message("theorems give the winner without a graph: use Position.of(game).winner")
        raise LimitError("{error}; {hint}", error, hint, limit=error.limit, play=error.play) from None


def as_position(game: GameLike, name: str = "graph", *, run_rules: bool = False) -> Position:
    """Return a game as a position. A graph becomes the sum of its tokens, whose notation is ``name@token``.

    If ``game`` is a path, the path replaces ``name``. ``run_rules`` is as for :func:`as_graph`.

    Raises
    ------
    TokenError
        The graph has no tokens.

    Examples
    --------
    >>> as_position(GameGraph([("a", "b")], tokens=["a"]))
    graph@a
    """
    given = named_game(game, run_rules=run_rules)
    if isinstance(given, Position):
        return given
    solution = given if isinstance(given, Solution) else None
    graph = GameGraph.of(given)
    tokens = graph.checked_tokens() if solution is None else solution.tokens
    if not tokens:
        raise TokenError("there are no tokens to play with: name positions, GameGraph(graph, tokens=[...])")
    rules = GraphRuleset(graph)
    file_or_name = os.fspath(game) if isinstance(game, (str, os.PathLike)) else name
    components = [Component(file_or_name, rules, token) for token in tokens]
    return Position(components, misere=solution is not None and solution.misere)


def tokens_on_file(path: str) -> GraphRuleset:
    """Return the rules of tokens on the graph in a file."""
    return GraphRuleset(read_game(path))


def named_game(game: GameLike, *, run_rules: bool = False) -> GameLike:
    """Return the position for a text in the notation, the graph for the path of a graph file, and any other game as is.

    A text that names rules in a Python file raises a RulesetError unless ``run_rules`` is true.

    Examples
    --------
    >>> named_game("nim(3) + kayles(4)").components[1]
    kayles(4)
    """
    if not isinstance(game, (str, os.PathLike)):
        return game
    is_text = isinstance(game, str) and is_notation(game)
    return parse_position(game, run_rules=run_rules) if is_text else read_named(game)  # type: ignore[arg-type]


def read_named(path: PathLike, format: str | None = None, progress: ReadProgress | None = None) -> GameGraph:
    """Read a graph from a file; the parameters are those of :func:`graphgame.read_game`.

    If the file does not exist, the error suggests a position or a file with a similar name, if there is one.
    """
    try:
        return read_game(path, format, progress=progress)
    except FileNotFoundError as error:
        hint = meaning_of(os.fspath(path)) or similar_files(path)
        error.strerror = (
            Message("{reason}; {hint}", system_message(error.strerror or str(error)), hint) if hint else error.strerror
        )
        raise
