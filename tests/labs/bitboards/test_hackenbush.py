"""Green Hackenbush."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import explore
from graphgame.labs.bitboards.hackenbush import Hackenbush
from graphgame.rules.notation import parse_position
from graphgame.rules.ruleset import Sum
from tests.brute import least_missing
from tests.notations import check_closed_form, check_example, check_round_trip, fault, graph_value, table


@st.composite
def pictures(draw):
    """Draw edges, each with an end that stands already; loops and parallel edges included."""
    edges, vertices = [], [0]
    for _ in range(draw(st.integers(0, 7))):
        a, b = draw(st.sampled_from(vertices)), draw(st.integers(0, len(vertices)))
        edges.append((a, b))
        vertices = sorted({*vertices, b})
    return tuple(edges)


def text_of(edges):
    return ",".join(f"{a}-{b}" for a, b in edges)


@cache
def brute(edges):
    after = []
    for place in range(len(edges)):
        left, standing = edges[:place] + edges[place + 1 :], {0}
        for _ in left:
            standing |= {v for edge in left if standing & set(edge) for v in edge}
        after.append(tuple(edge for edge in left if standing & set(edge)))
    return least_missing([brute(other) for other in after])


def test_example():
    check_example("hackenbush")


@settings(max_examples=150)
@given(pictures())
def test_against_the_definition(edges):
    text = f"hackenbush({text_of(edges)})"
    assert parse_position(text).grundy == graph_value(text) == brute(edges)


@pytest.mark.parametrize("key", ["green girl (WW fig 3 ch 7)", "stalk"])
def test_published(key):
    record = table("hackenbush")[key]
    stalk = [(k, k + 1) for k in range(len(record["input"].get("string", "")))]
    edges = record["input"].get("edges(ground=0)", stalk)
    text = f"hackenbush({text_of(edges)})"
    assert parse_position(text).grundy == graph_value(text) == record["expected"]


def test_closed_form_against_the_graph():
    assert check_closed_form(Hackenbush(), "0-1,0-3,1-2,2-3,2-4,4-4,2-5,2-5") > 20


@pytest.mark.parametrize("length", [3, 4, 7, 8])
def test_fusion_of_a_cycle(length):
    edges = [(k, (k + 1) % length) for k in range(length)]
    assert parse_position(f"hackenbush({text_of(edges)})").grundy == length % 2


def test_a_very_long_stalk():
    edges = [(k, k + 1) for k in range(20_000)]
    assert parse_position(f"hackenbush({text_of(edges)})").grundy == 20_000


def test_parts_that_share_only_the_ground():
    assert str(parse_position("hackenbush(0-1, 2-0, 0-0, 1-3)")) == (
        "hackenbush(0-1,1-3) + hackenbush(0-2) + hackenbush(0-0)"
    )


def test_misere_play_is_that_of_the_picture():
    assert parse_position("hackenbush(0-1,0-2)").under(misere=True).outcome == "N"
    assert parse_position("hackenbush(0-1)").under(misere=True).outcome == "P"


@pytest.mark.parametrize("text", ["hackenbush(0-1,1-2,2-0)", "hackenbush()", "hackenbush(0-a,a-!,!-a)"])
def test_round_trip(text):
    check_round_trip(text)


def test_every_position_has_a_text():
    rules = Hackenbush()
    for position in explore(rules, rules.parse("0-1,1-2,1-3,2-3,2-2")).labels:
        assert type(position) is Sum or rules.parse(rules.format(position)) == position


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("hackenbush(0)", 12, "expected an edge such as 0-1, but found '0'"),
        ("hackenbush(0-1,)", 16, "expected an edge such as 0-1, but found ''"),
        ("hackenbush(0-1,1--2)", 16, "expected an edge such as 0-1, but found '1--2'"),
        ("hackenbush(0-1,2-3,3-1,4-5)", 24, "the edge '4-5' is not connected to the ground 0"),
    ],
)
def test_faults(text, column, message):
    found, said = fault(text)
    assert (found, message in said) == (column, True), said


def test_loops_at_one_vertex_have_different_sizes():
    places = Hackenbush().picture("0-1,1-1,1-1,1-1").places
    assert [place[4] for place in places if place[:2] == place[2:4]] == [0, 1, 2]
