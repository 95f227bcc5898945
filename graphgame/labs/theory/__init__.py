"""More theory of impartial games: nimbers, coin-turning games, compounds, reduction, suspense, kernels."""

from typing import TYPE_CHECKING

from graphgame.registry import lazy_names, register

if TYPE_CHECKING:
    from graphgame.labs.theory.compounds import Compound as Compound
    from graphgame.labs.theory.graph_kernel import kernel as kernel
    from graphgame.labs.theory.reduction import Reduction as Reduction
    from graphgame.labs.theory.reduction import isomorphism as isomorphism
    from graphgame.labs.theory.reduction import reduce as reduce
    from graphgame.labs.theory.reduction import thin as thin
    from graphgame.labs.theory.suspense_numbers import suspense as suspense

_COMPOUND = "graphgame.labs.theory.compounds.rules.Compound"

register("command", "nimber", "labs.theory.cli:nimber_command", "Calculate with nimbers.")
register("command", "reduce", "labs.theory.cli:reduce_command", "Merge equal positions into a smaller graph.")
register("games", "theory", "labs.theory.catalogue:GAMES")
register("job", "compound of positions", "labs.theory.compounds.rules:compound_of")
register("explanation", _COMPOUND, "labs.theory.compounds.words:explain_compound")
register("rules text", _COMPOUND, "labs.theory.compounds.words:rules_of_compound")
register("parts", _COMPOUND, "labs.theory.compounds.words:parts_of_compound")
register("job", "merging of equal positions", "labs.theory.reduction:merged")
register("job", "reduction", "labs.theory.reduction:reduce")

__all__ = ["Compound", "Reduction", "isomorphism", "kernel", "reduce", "suspense", "thin"]
__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "compounds": "Compound",
        "graph_kernel": "kernel",
        "reduction": "Reduction isomorphism reduce thin",
        "suspense_numbers": "suspense",
    },
)
