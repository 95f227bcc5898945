"""Search for the outcome or the value of single positions, without exploring their whole graphs."""

from typing import TYPE_CHECKING

from graphgame.registry import lazy_names, register

if TYPE_CHECKING:
    from graphgame.labs.search.answers import Search as Search
    from graphgame.labs.search.answers import is_compiled as is_compiled
    from graphgame.labs.search.answers import search_for as search_for

register(
    "command",
    "search",
    "labs.search.cli:command",
    "Who wins one position, or each of several, without their whole graphs.",
)
register("job", "compiled search", "labs.search.answers:is_compiled")

__all__ = ["Search", "is_compiled", "search_for"]
__getattr__, __dir__ = lazy_names(__name__, {"answers": "Search is_compiled search_for"})
