"""Graphs with cycles: values, the pass that finds them, and what is said about them."""

from graphgame.loopy.values import Loopy, Outcome, ValueCodes, outcome_of, parse_value, value_key

__all__ = ["Loopy", "Outcome", "ValueCodes", "outcome_of", "parse_value", "value_key"]
