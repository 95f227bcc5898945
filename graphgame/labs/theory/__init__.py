"""Theory beyond normal play on an acyclic graph: nimbers, coin-turning games, compounds, reduction, suspense."""

from graphgame.registry import register

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
