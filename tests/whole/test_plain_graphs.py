"""Every public function that takes a game takes all forms of a game, with the same results."""

import inspect
import runpy
from functools import partial
from importlib import import_module
from io import StringIO

import networkx as nx
import pytest

import graphgame
from graphgame import GameGraph, io, play
from graphgame.errors import GraphGameError, NotAGameError
from graphgame.labs import misere
from graphgame.labs.theory import compounds
from graphgame.solution.statistics import graph_statistics
from graphgame.solution.sums import Product, product
from tests import ROOT
from tests.helpers import CHIPS

CHIPS_GRAPH = nx.DiGraph(CHIPS, tokens=[1, 2])
QUOTIENT = graphgame.misere.misere_quotient(GameGraph(CHIPS))
SPLITTING = nx.DiGraph([(1, 2), (2, 3), (2, 4), (3, 5), (4, 3), (4, 5)], tokens=[1])
SPLITTING.nodes[2]["kind"] = "sum"


def file_of(write):
    """Return what a function writes for a graph to a file, whose name may say the format."""

    def ask(graph, folder, name="game.dot"):
        write(graph, folder / name)
        return (folder / name).read_bytes()

    return ask


def of_compound(graph, folder):
    rules = graphgame.theory.Compound("selective", [graph, graph])
    return rules.outcome_form(rules.start), sorted(rules.options(rules.start))


def of_quotient(graph, folder):
    found = graphgame.misere.misere_quotient(graph)
    return found.labels, found.order, found.images


def of_format(graph, folder):
    stream = StringIO()
    io.FORMATS["edgelist"].write(graph, stream)
    return stream.getvalue()


def genera(table):
    return {position: str(genus) for position, genus in table.items()}


CALLS = {
    "GameGraph": lambda graph, folder: GameGraph(graph),
    "GameGraph.of": lambda graph, folder: GameGraph.of(graph),
    "Position.of": lambda graph, folder: (graphgame.Position.of(graph).winner, graphgame.Position.of(graph).nim_sum),
    "Search": lambda graph, folder: graphgame.Search(graph).grundy,
    "play.Match": lambda graph, folder: play.Match(graph).is_stuck,
    "play.adviser": lambda graph, folder: play.adviser(graph).verdict(graphgame.Position.of(graph)),
    "labs.theory.Compound": of_compound,
    "certificate": lambda graph, folder: dict(graphgame.certificate(graph)),
    "draw": file_of(graphgame.draw),
    "explain": lambda graph, folder: graphgame.explain(graph),
    "labs.misere.genus_table": lambda graph, folder: genera(graphgame.misere.genus_table(graph)),
    "labs.theory.isomorphism": lambda graph, folder: graphgame.theory.isomorphism(graph, GameGraph(graph)),
    "labs.theory.kernel": lambda graph, folder: graphgame.theory.kernel(graph),
    "labs.misere.misere_quotient": of_quotient,
    "labs.theory.reduce": lambda graph, folder: graphgame.theory.reduce(graph).graph,
    "solve": lambda graph, folder: dict(graphgame.solve(graph).grundy),
    "labs.theory.suspense": lambda graph, folder: dict(graphgame.theory.suspense(graph)),
    "labs.theory.thin": lambda graph, folder: graphgame.theory.thin(graph),
    "to_pydot": lambda graph, folder: graphgame.to_pydot(graph).to_string(),
    "verify": lambda graph, folder: graphgame.verify(graph, dict(graphgame.solve(GameGraph(graph)).grundy)),
    "write_certificate": partial(file_of(graphgame.write_certificate), name="proof.csv"),
    "write_dot": file_of(graphgame.write_dot),
    "write_game": file_of(graphgame.write_game),
    "write_page": partial(file_of(graphgame.write_page), name="game.html"),
    "write_values": partial(file_of(graphgame.write_values), name="values.csv"),
    "io.generate_game": lambda graph, folder: list(io.generate_game(graph, "edgelist")),
    "io.Format.write": of_format,
    "solution.sums.Product": lambda graph, folder: Product(graph, [[0, 1], [2]]).graph,
    "solution.sums.product": lambda graph, folder: product(graph),
    "labs.theory.compounds.Operand.of_graph": lambda graph, folder: compounds.Operand.of_graph(graph).graph,
    "labs.misere.GenusTable": lambda graph, folder: genera(misere.GenusTable(graph, misere.MisereForms())),
    "labs.misere.MisereForms.of_graph": lambda graph, folder: misere.MisereForms().of_graph(graph),
    "labs.misere.find_fault": lambda graph, folder: misere.find_fault(QUOTIENT, graph),
    "labs.misere.find_fault_among": lambda graph, folder: misere.find_fault_among(QUOTIENT, graph),
    "solution.statistics.graph_statistics": lambda graph, folder: graph_statistics(graph),
}

OF_THEIR_MAKERS = {
    "Solution",
    "Position.quick_solution",
    "LoopySolution",
    "labs.theory.Reduction",
    "labs.scale.disk.MappedGraph",
    "labs.theory.compounds.Operand",
}
"""Made from a GameGraph by the functions that return them."""


def taken():
    """Yield the name of each public function, class or class method with a parameter that is a graph, and its type."""
    reference = runpy.run_path(str(ROOT / "docs" / "make_reference.py"))
    for module, names in reference["public_names"]().items():
        for name in names:
            value = getattr(import_module(f"graphgame.{module}"), name)
            path = name if reference["at_root"](name, value) else f"{module}.{name}"
            found = {path: value}
            if inspect.isclass(value):
                methods = {f"{path}.{key}": getattr(member, "__func__", member) for key, member in vars(value).items()}
                found = {path: value.__init__} | {key: member for key, member in methods.items() if "._" not in key}
            for key, function in found.items():
                if inspect.isfunction(function):
                    kinds = [str(parameter.annotation) for parameter in inspect.signature(function).parameters.values()]
                    yield from ((key, kind) for kind in kinds if "Graph" in kind or "GameLike" in kind)


def answer(call, graph, folder):
    """Return what a call answers; a graph as its edges, an error as its kind."""
    try:
        found = call(graph, folder)
    except GraphGameError as error:
        return type(error)
    return (list(found), sorted(found.edges), found.tokens) if isinstance(found, GameGraph) else found


def test_every_function_that_takes_a_game_is_tested_here():
    functions = [(name, kind) for name, kind in taken() if name not in OF_THEIR_MAKERS]
    assert len(functions) > 25
    assert [name for name, kind in functions if "GameLike" not in kind] == []
    assert {name for name, _ in functions} <= CALLS.keys()


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("graph", [CHIPS_GRAPH, SPLITTING, nx.MultiDiGraph(CHIPS_GRAPH)], ids=["chips", "sums", "many"])
def test_digraph_gives_the_same_results_as_gamegraph(name, graph, tmp_path):
    plain = answer(CALLS[name], graph, tmp_path)
    assert plain == answer(CALLS[name], GameGraph(graph), tmp_path)


SHOWN_SOLVED = {"draw", "write_dot", "to_pydot", "explain", "write_page"}
"""Those that show more of a position than of its graph: its values, its theory, its heaps."""


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("text", ["nim(3,1)", "kayles(4) + take{1,2}(3)", "chomp(2x2)"])
def test_position_and_its_text_give_the_same_results_as_its_graph(name, text, tmp_path):
    of_text = answer(CALLS[name], text, tmp_path)
    position = graphgame.parse_position(text)
    assert of_text == answer(CALLS[name], position, tmp_path)
    if name not in SHOWN_SOLVED:
        assert of_text == answer(CALLS[name], GameGraph(position), tmp_path)


@pytest.mark.parametrize("name", CALLS)
def test_file_gives_the_same_results_as_its_graph(name, tmp_path):
    path = tmp_path / "chips(1).txt"
    graphgame.write_game(CHIPS_GRAPH, path, "token")
    expected = answer(CALLS[name], graphgame.solve(path) if name in SHOWN_SOLVED else GameGraph(path), tmp_path)
    assert expected == answer(CALLS[name], path, tmp_path) == answer(CALLS[name], str(path), tmp_path)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("data", [5, [3, 4, 5], b"nim(3)", {1: 2}], ids=repr)
def test_message_for_objects_that_are_not_games(name, data, tmp_path):
    with pytest.raises(NotAGameError, match=r"expected a game, got .*a Position or its text such as 'nim\(3,4,5\)'"):
        CALLS[name](data, tmp_path)


def test_none_is_not_a_game():
    with pytest.raises(NotAGameError, match="expected a game, got NoneType None"):
        graphgame.solve(None)
