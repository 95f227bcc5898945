"""Compounds other than the sum: several games at once, with other rules for what a move is.

===========  ====  =====================================================================
conjunctive  ``&``   a move in every component; ends when one component has ended
continued    ``&&``  a move in every component that has one; ends when all have ended
selective    ``|``   a move in one or more components; ends when all have ended
shortened    ``||``  a move in one or more components; ends when one has ended
ordinal      ``:``   a move in one component removes all later ones; ends when none has a move
===========  ====  =====================================================================

Theorems give the outcome from the components alone. The ruleset :class:`Compound` has the moves of the compound itself,
so that ``explore`` gives its explicit graph.
"""

from graphgame.labs.theory.compounds.kinds import KINDS, CompoundKind, Operand
from graphgame.labs.theory.compounds.rules import Compound

__all__ = ["KINDS", "Compound", "CompoundKind", "Operand"]
