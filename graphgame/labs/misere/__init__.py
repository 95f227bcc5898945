"""Misère play: the genus of positions, misère canonical forms and misère quotients."""

from typing import TYPE_CHECKING

from graphgame.registry import lazy_names, register

if TYPE_CHECKING:
    from graphgame.labs.misere.checking import find_fault as find_fault
    from graphgame.labs.misere.checking import find_fault_among as find_fault_among
    from graphgame.labs.misere.genus import Genus as Genus
    from graphgame.labs.misere.genus import GenusTable as GenusTable
    from graphgame.labs.misere.genus import MisereForms as MisereForms
    from graphgame.labs.misere.genus import genus_table as genus_table
    from graphgame.labs.misere.heap_quotients import heap_graph as heap_graph
    from graphgame.labs.misere.heap_quotients import heap_quotient as heap_quotient
    from graphgame.labs.misere.heap_quotients import prove_period as prove_period
    from graphgame.labs.misere.quotient import MisereQuotient as MisereQuotient
    from graphgame.labs.misere.quotient import quotient_record as quotient_record
    from graphgame.labs.misere.quotient import read_quotient as read_quotient
    from graphgame.labs.misere.quotient import write_quotient as write_quotient
    from graphgame.labs.misere.solver import misere_quotient as misere_quotient

register("command", "misere", "labs.misere.cli:command", "Genera, canonical forms and quotients under misère play.")
register("job", "genus table", "labs.misere.genus:genus_table")
register("job", "explanation of misère play", "labs.misere.explaining:explain_misere")
register("job", "words of misère play", "labs.misere.words:MisereWords")
register("check", "graphgame misère quotient", "labs.misere.cli:check_quotient_file")

_PUBLIC = {
    "checking": "find_fault find_fault_among",
    "genus": "Genus GenusTable MisereForms genus_table",
    "heap_quotients": "heap_graph heap_quotient prove_period",
    "quotient": "MisereQuotient quotient_record read_quotient write_quotient",
    "solver": "misere_quotient",
}
__all__ = [
    "Genus",
    "GenusTable",
    "MisereForms",
    "MisereQuotient",
    "find_fault",
    "find_fault_among",
    "genus_table",
    "heap_graph",
    "heap_quotient",
    "misere_quotient",
    "prove_period",
    "quotient_record",
    "read_quotient",
    "write_quotient",
]
__getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
