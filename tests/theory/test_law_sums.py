"""Laws of sums: from those of their parts, where the whole has no formula."""

from __future__ import annotations

import json

import pytest

from graphgame import heaps
from graphgame.games import laws
from graphgame.games.law_files import check_laws, laws_record
from graphgame.games.law_sums import parts_with_names
from graphgame.games.law_texts import filled, names_in
from graphgame.games.notation import parse_position

SUMS = [
    (
        "kayles(a,b)",
        "g(a,b) = g(kayles(a)) ^ g(kayles(b))",
        "g(kayles(a)) = g(kayles(b))",
    ),
    (
        "take{1,3,4}(b) + octal{0.17}(a)",
        "g(b,a) = g(take{1,3,4}(b)) ^ g(octal{0.17}(a))",
        "g(take{1,3,4}(b)) = g(octal{0.17}(a))",
    ),
    (
        "kayles(a) + nim(b,c)",
        "g(a,b,c) = g(kayles(a)) ^ g(nim(b)) ^ g(nim(c))",
        "g(kayles(a)) ^ g(nim(b)) ^ g(nim(c)) = 0",
    ),
    ("bash{4}(a) + bash{2}(b)", "g(a,b) = (a % 5) ^ (b % 3)", "(a % 5) ^ (b % 3) = 0"),
]


@pytest.mark.parametrize(("text", "values", "lost"), SUMS, ids=[row[0] for row in SUMS])
def test_sums_are_proved_by_their_parts(text, values, lost, tmp_path):
    found = laws.find(text, size=None if "bash" in text else 9)
    assert [law.text for law in found[:2]] == [values, f"P-positions: {lost}"]
    assert {law.status for law in found} == {"proved"}
    for numbers in ((0, 0, 0), (7, 5, 2), (20, 13, 1)):
        numbers = numbers[: len(found[0].names)]
        value = parse_position(filled(text, found[0].names, numbers)).grundy
        assert [law(*numbers) for law in found[:2]] == [value, value == 0]
    path = tmp_path / "law.json"
    path.write_text(json.dumps(laws_record(text, found)))
    assert [(check.fault, bool(check.grounds)) for check in check_laws(path)] == [(None, True)] * len(found)


def test_a_heap_of_any_size():
    law, _ = laws.find("kayles(a,b)", size=9)
    game = heaps.octal("0.77")
    assert law(10**18, 70) == game.period(1000).value(10**18) ^ int(game.grundy_values(70)[70])


@pytest.mark.parametrize(
    "text", ["wythoff(a,b)", "nim(a,3) + kayles(b)", "kayles(a) + nim(a)", "kayles(a)", "staircase(a,b)"]
)
def test_no_sum_of_parts_with_numbers_of_their_own(text):
    assert parts_with_names(text, names_in(text)) == ()


def test_a_part_without_a_law_leaves_the_sum_without_one():
    assert laws.find("kayles(a) + grundy(b)", size=9) == []


def _only_other(law):
    law["parts"][1]["source"] = "kayles(a)"
    law["text"] = law["text"].replace("kayles(b)", "kayles(a)")


def _without(law):
    law["parts"].pop()
    law["text"] = "g(a,b) = g(kayles(a))"


ALTERATIONS = [
    (_only_other, "these are not the parts of kayles(a,b)"),
    (_without, "these are not the parts of kayles(a,b)"),
    (lambda law: law["parts"][1].update(source="nim(b)"), "it is g(a,b) = g(kayles(a)) ^ g(nim(b))"),
    (lambda law: law["parts"][0]["law"].update(status="holds"), "no law of the values of kayles(a) that is proved"),
    (lambda law: law["parts"][0]["law"].update(about="P-positions"), "no law of the values of kayles(a)"),
    (lambda law: law["parts"][0].update(law={}), "no law of the values of kayles(a)"),
    (lambda law: law["parts"][0]["law"]["period"]["values"].__setitem__(9, 7), "heap 9 has the value 4, not 7"),
    (lambda law: law["parts"][1].update(law=law["parts"][0]["law"]), "the names of kayles(b) are b"),
    (lambda law: law.update(play="misere"), "normal play"),
]


@pytest.mark.parametrize(("change", "told"), ALTERATIONS)
def test_an_altered_sum_is_refused(change, told, tmp_path):
    record = json.loads(json.dumps(laws_record("kayles(a,b)", laws.find("kayles(a,b)", size=16)[:1])))
    change(record["laws"][0])
    path = tmp_path / "law.json"
    path.write_text(json.dumps(record))
    (checked,) = check_laws(path)
    assert told in (checked.fault or "")
