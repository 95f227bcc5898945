"""``graphgame explain`` under misère play: explanations by the genus and by a misère quotient."""

from __future__ import annotations

from graphgame.cli.common import Game
from graphgame.cli.errors import Failure
from graphgame.compiled.engine import PRODUCT_LIMIT
from graphgame.errors import LimitError
from graphgame.labs.heaps import game as heap_game
from graphgame.labs.misere import MisereQuotient, genus_table, prove_period, read_quotient
from graphgame.labs.misere.words import explain_by_quotient
from graphgame.rules.nim import Heap
from graphgame.text.named_vertices import named_vertex
from graphgame.text.positions import explain
from graphgame.text.text import ShownText

_QUICK_PRODUCT = 5_000
"""The default of --product-limit if a quotient is given and no genus is wanted. Sums with more positions are explained
by the quotient alone; smaller sums are solved as graphs."""


def explain_misere(
    game: Game, position: str | None, depth: int, genus: bool, quotient: str | None, max_forms: int | None
) -> ShownText:
    """Return an explanation of a game or a position under misère play; it can add the genus and a quotient's element.

    Parameters
    ----------
    game : Game
    position : str, optional
        Explain this position; by default the start of the game.
    depth : int
        How many moves ahead the explanation follows play.
    genus : bool
        Add the genus.
    quotient : str, optional
        A file with a misère quotient: add the element of each position. If the graph of a sum is too large, and
        ``genus`` is false, explain by the quotient alone.
    max_forms : int, optional
        The limit of :func:`genus_table`.
    """
    saved = None if quotient is None else _read_quotient(game, quotient)
    limit = {} if max_forms is None else {"max_forms": max_forms}
    try:
        solution = game.solution(PRODUCT_LIMIT if saved is None or genus else _QUICK_PRODUCT)
        wanted = None if position is None else named_vertex(solution.graph, position, game.position)
        table = genus_table(solution.graph, **limit) if genus else None
        return explain(solution, wanted, depth=depth, genus=table, quotient=saved)
    except LimitError as error:
        if saved is None or genus or error.limit != "product_limit":
            raise
        # The graph of the sum has too many positions to be solved: explain by the quotient alone.
        tokens = (game.graph.tokens or ()) if position is None else [named_vertex(game.graph, position, game.position)]
        return explain_by_quotient(game.graph, tokens, saved)


def _read_quotient(game: Game, file: str) -> MisereQuotient:
    """Return the quotient in a file.

    If the game is a sum of heaps of one heap game, and one of its heaps is larger than all heaps in the file, also
    prove a period, so that the quotient covers this heap. Raise a Failure if no period can be proved.
    """
    saved = read_quotient(file)
    parts = () if game.position is None else game.position.components
    heaps = [part.position for part in parts if isinstance(part.ruleset, Heap) and isinstance(part.position, int)]
    if len(heaps) == len(parts) and len({part.game for part in parts}) == 1 and max(heaps) >= len(saved.labels):
        name, arguments = parts[0].name, parts[0].ruleset.arguments
        prove_period(saved, heap_game(f"{name}{{{arguments}}}" if arguments else name))
        if saved.period is None:
            raise Failure(
                "{file}: the misère quotient is proved only up to heap {heap}, because no period of its elements is "
                "proved",
                file,
                len(saved.labels) - 1,
            )
    return saved
