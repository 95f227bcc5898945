"""The outcome or the value of one position whose graph is too large to write down."""

from graphgame.theory.search.answers import Search, is_compiled, search_for

__all__ = ["Search", "is_compiled", "search_for"]
