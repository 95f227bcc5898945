"""Compounds other than the sum: several games at once, with other rules for what a move is.

===========  ====  =====================================================================
conjunctive  ``&``   a move in every component; over when one component is
continued    ``&&``  a move in every component that has one; over when all components are
selective    ``|``   a move in any components, at least one; over when all components are
shortened    ``||``  a move in any components, at least one; over when one component is
ordinal      ``:``   a move in one component, which takes away all later ones
===========  ====  =====================================================================

The theory gives the outcome from the components alone. The ruleset :class:`Compound` plays the compound itself, so that
``explore`` gives its explicit graph.
"""

from graphgame.labs.theory.compounds.kinds import KINDS, CompoundKind, Operand
from graphgame.labs.theory.compounds.rules import Compound

__all__ = ["KINDS", "Compound", "CompoundKind", "Operand"]
