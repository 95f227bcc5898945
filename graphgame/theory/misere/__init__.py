"""Misère play: genus, canonical forms and quotients."""

from graphgame.theory.misere.checking import find_fault, find_fault_among
from graphgame.theory.misere.genus import Genus, GenusTable, MisereForms, genus_table
from graphgame.theory.misere.quotient import MisereQuotient, quotient_record, read_quotient, write_quotient
from graphgame.theory.misere.solver import heap_graph, heap_quotient, misere_quotient, prove_period

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
