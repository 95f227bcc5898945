"""Wrong values of parameters: every public function with one of these parameters raises a ParameterError."""

import inspect
from math import inf, nan

import numpy as np
import pytest

import graphgame
from graphgame import errors, heaps, misere, scale

FLAGS = ("x", 2, None, [])
COUNTS = ("x", -1, 1.5, True, nan)
WRONG = {
    **dict.fromkeys(["misere", "loopy", "run_rules"], FLAGS),
    **dict.fromkeys(["depth", "product_limit", "steps"], COUNTS),
    **dict.fromkeys(
        ["max_bytes", "max_forms", "max_moves", "max_order", "max_outcomes", "max_positions", "jobs", "memory"],
        (*COUNTS, 0),
    ),
    "timeout": ("x", -1, 0, nan, inf, True),
    **dict.fromkeys(["progress", "searching", "interrupted"], (3, "x")),
}
"""Name of a parameter -> wrong values. Every public function with such a parameter must refuse them."""

RESULTS = {"Law", "LawTable", "MappedGraph", "MisereQuotient", "PPositions", "ValueTable", "Verification"}
"""Classes whose objects the package makes."""
METHODS_OF_RULES = {"value_array", "lost_bits"}
"""Methods that a user's rules define and the package calls."""
WITH_GAME = {"GameGraph", "GameGraph.of", "Position.of"}
"""Functions that check the parameter when they read the text of a game."""


def public_functions():
    """Yield the name of each public function, class and method with the function, also those of submodules."""
    homes = [getattr(graphgame, name) for name in graphgame._PACKAGES if name != "errors"]
    homes += [graphgame, heaps.study, scale.disk, scale.generators, scale.spark]
    values = {getattr(home, name): name for home in homes for name in home.__all__ if callable(getattr(home, name))}
    for value, name in values.items():
        if value.__module__.startswith("graphgame.") and name not in RESULTS:
            yield name, value
            for method in vars(value) if inspect.isclass(value) else ():
                if not method.startswith("_") and callable(getattr(value, method)):
                    yield f"{name}.{method}", getattr(value, method)


def cases():
    for name, function in public_functions():
        if name.partition(".")[2] in METHODS_OF_RULES:
            continue
        for parameter in inspect.signature(function).parameters.values():
            for value in WRONG.get(parameter.name, ()):
                if value is not parameter.default:
                    yield pytest.param(name, function, parameter.name, value, id=f"{name}-{parameter.name}-{value!r}")


CASES = list(cases())


@pytest.mark.parametrize(("name", "function", "parameter", "value"), CASES)
def test_wrong_value(name, function, parameter, value):
    with pytest.raises(errors.ParameterError, match=rf"^invalid {parameter} .*: expected "):
        # The value is checked first, so it does not matter that other arguments are missing.
        function(*["nim(1)"] * (name in WITH_GAME), **{parameter: value})


def test_the_functions_are_found():
    assert len({case.values[:1] + case.values[2:3] for case in CASES}) > 80


@pytest.mark.parametrize("name", ["explain", "explore", "check", "Search", "verify", "misere.heap_quotient"])
def test_unknown_parameter(name):
    module, _, last = name.rpartition(".")
    function = getattr(getattr(graphgame, module) if module else graphgame, last)
    for error in (ValueError, TypeError):
        with pytest.raises(error, match="unknown parameter 'seconds': expected one of "):
            function(seconds=3)


def test_numbers_and_flags_of_numpy_are_right():
    position = graphgame.parse_position("nim(3)", misere=np.True_, max_positions=np.int64(9))
    assert position.misere is True
    assert len(position.graph()) == 4
    assert graphgame.Search("nim(3)", timeout=np.float32(60)).winner == "first"


def test_heap_games_by_their_code():
    kayles = heaps.octal("0.77")
    values = kayles.grundy_values(80)
    assert heaps.game(kayles) is kayles
    assert len(misere.heap_graph("0.77", 5)) == len(misere.heap_graph(kayles, 5))
    assert misere.heap_quotient("kayles", 3).order == misere.heap_quotient(kayles, 3).order
    assert heaps.study.rare_heaps("0.77", values).tolist() == heaps.study.rare_heaps(kayles, values).tolist()
    assert heaps.study.statistics("0.77", values).maximum_heap == 27
    assert heaps.study.same_moves("0.137", "0.07", 1)
    assert heaps.study.compare("0.137", "0.07", 100).proof == "moves"
    with pytest.raises(errors.ParameterError, match=r"^invalid game 3: expected a one-heap game"):
        misere.heap_graph(3, 5)


TAKE_TEXT = [
    "heaps.code",
    "heaps.octal",
    "io.parse_game",
    "laws.find",
    "laws.guess",
    "laws.law_table",
    "nimbers.evaluate",
    "nimbers.latex",
    "parse_position",
    "tables.p_positions",
    "value_table",
]


@pytest.mark.parametrize("name", TAKE_TEXT)
@pytest.mark.parametrize("text", [3, 0.77, None, b"0.77"])
def test_what_is_no_text(name, text):
    module, _, last = name.rpartition(".")
    function = getattr(getattr(graphgame, module) if module else graphgame, last)
    with pytest.raises(errors.ParameterError, match=r"^invalid text .*: expected a string$"):
        function(text)


def test_the_only_parameter_is_named():
    for function in (graphgame.nimbers.evaluate, graphgame.nimbers.latex, heaps.code, heaps.octal):
        only = next(iter(inspect.signature(function).parameters))
        with pytest.raises(errors.ParameterError, match=f"^unknown parameter 'txt': expected one of {only}"):
            function(txt="1")


def test_parameters_of_solve_are_no_attributes_of_a_graph():
    for name in ("misere", "loopy"):
        with pytest.raises(TypeError, match=f"^{name}= is a parameter of solve"):
            graphgame.GameGraph([("a", "b")], **{name: True})
        with pytest.raises(TypeError, match=f"^{name}= is a parameter of solve"):
            graphgame.GameGraph.from_arrays([0], [1], **{name: True})
        with pytest.raises(TypeError, match=f"^{name}= is a parameter of solve"):
            graphgame.GameGraph.from_rows([0, 1, 1], [1], 2, **{name: True})


def test_tokens_in_one_string():
    with pytest.raises(TypeError, match=r"got 'start': write \['start'\]"):
        graphgame.GameGraph([("start", "end")], tokens="start")


def test_values_to_verify():
    for values in (3, None, [("a", 1)], graphgame.GameGraph([("a", "b")])):
        with pytest.raises(errors.ParameterError, match=r"^invalid values .*: expected a solution, or a mapping"):
            graphgame.verify([("a", "b")], values)
