"""Laws of sums: from those of their parts, where the whole has no formula."""

from __future__ import annotations

import json

import numpy as np
import pytest

import graphgame
from graphgame.errors import LimitError
from graphgame.labs import heaps
from graphgame.labs.laws import laws, proofs
from graphgame.labs.laws.proofs import check_laws, laws_record
from graphgame.labs.laws.sources import game_of, names_in, parts_with_names, with_numbers
from graphgame.rules.notation import parse_position

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
        value = parse_position(with_numbers(text, found[0].names, numbers)).grundy
        assert [law(*numbers) for law in found[:2]] == [value, value == 0]
    path = tmp_path / "law.json"
    path.write_text(json.dumps(laws_record(text, found)))
    assert [(check.fault, bool(check.grounds)) for check in check_laws(path)] == [(None, True)] * len(found)


@pytest.mark.parametrize("text", ["octal{0.72}(a,b)", "octal{0.75}(b) + octal{0.75}(a)", "guiles(a,b,c)"])
def test_sums_under_misere_play_are_proved_by_the_quotient_of_one_heap(text, tmp_path):
    size = 6 if "c" in text.rpartition("(")[2] else 10
    table = laws.law_table(text, size=size, misere=True)
    (law,) = laws.find(text, size=size, misere=True)
    named = ", ".join(law.names)
    assert law.text == f"P-positions of misère play: the product of the elements of {named} is in the P-portion"
    for numbers, value in np.ndenumerate(table.values):
        winner = parse_position(with_numbers(text, law.names, numbers)).under(misere=True).winner
        assert (law(*numbers), value) == (winner == "second", int(winner == "first"))
    alone = laws.find(f"{text.partition('(')[0]}(n)", misere=True)[0]
    assert [law(n, *[0] * len(law.names[1:])) for n in (5, 10**18)] == [alone(5), alone(10**18)]
    path = tmp_path / "law.json"
    path.write_text(json.dumps(laws_record(text, [law])))
    assert [check.fault for check in check_laws(path)] == [None]


def test_a_heap_of_any_size():
    law, _ = laws.find("kayles(a,b)", size=9)
    game = heaps.octal("0.77")
    assert law(10**18, 70) == game.period(1000).value(10**18) ^ int(game.grundy_values(70)[70])


@pytest.mark.parametrize("text", ["octal{0.33}(a,b)", "octal{0.3}(a) + octal{0.03}(b)"])
def test_parts_whose_moves_are_guessed(text, tmp_path):
    law, _ = laws.find(text)
    assert (law.status, law(6, 5)) == ("proved", graphgame.solve(with_numbers(text, law.names, (6, 5))).nim_sum)
    path = tmp_path / "law.json"
    path.write_text(json.dumps(laws_record(text, [law])))
    assert [check.fault for check in check_laws(path)] == [None]


@pytest.mark.parametrize(
    "text", ["wythoff(a,b)", "nim(a,3) + kayles(b)", "kayles(a) + nim(a)", "kayles(a)", "staircase(a,b)"]
)
def test_no_sum_of_parts_with_numbers_of_their_own(text):
    assert parts_with_names(text, names_in(text)) == ()


def test_a_part_without_a_law_leaves_the_sum_without_one():
    assert laws.find("kayles(a) + grundy(b)", size=9) == []


@pytest.mark.parametrize("text", ["fibonacci(a) + nim(b)", "euclid(a,b) + nim(c)"])
def test_moves_that_are_declared_only_for_a_game_alone_are_not_used_in_a_sum(text):
    for misere in (False, True):
        table = laws.law_table(text, size=5, misere=misere)
        for numbers, value in np.ndenumerate(table.values):
            position = parse_position(with_numbers(text, table.names, numbers))
            assert (position.under(misere=misere).winner == "first") == (value > 0)
    game = game_of(text)
    assert game.moves is None


def _only_other(law):
    law["parts"][1]["source"] = "kayles(a)"
    law["text"] = law["text"].replace("kayles(b)", "kayles(a)")


def _without(law):
    law["parts"].pop()
    law["text"] = "g(a,b) = g(kayles(a))"


def test_altered_sums_under_misere_play_are_refused(tmp_path):
    text, path = "octal{0.72}(a,b)", tmp_path / "law.json"
    record = laws_record(text, laws.find(text, size=9, misere=True))
    changes = [
        (lambda law: law["period"]["values"].__setitem__(4, 0), "the elements in the law's period are not those"),
        (lambda law: law["quotient"]["p_portion"].pop(), "the misère quotient of the law is wrong"),
        (
            lambda law: law.update(formula="a = b", text="P-positions of misère play: a = b"),
            "the file has no proof that fits",
        ),
    ]
    for change, told in changes:
        altered = json.loads(json.dumps(record))
        change(altered["laws"][0])
        path.write_text(json.dumps(altered))
        (checked,) = check_laws(path)
        assert told in (checked.fault or "")
    path.write_text(json.dumps(record | {"source": "octal{0.72}(a) + kayles(b)"}))
    (checked,) = check_laws(path)
    assert "the file has no proof that fits" in checked.fault


def test_latex_says_that_values_are_of_misere_play():
    law = laws.find("take{1,2}(n)", misere=True)[0]
    assert law.latex == r"$g(n) = (1, 0, 2)_{n \bmod 3}$, values of misère play"


def test_guesses_of_sums_under_misere_play():
    refuted = laws.guess("kayles(a,b)", "a = b", size=9, misere=True)
    assert str(refuted) == "first counterexample: a = 0, b = 0: the guess says P, but there is no move"
    refuted = laws.guess("kayles(n)", lambda n: None, size=9)
    assert str(refuted).endswith("the guess says None, but the value is 0, because there is no move")
    refuted = laws.guess("kayles(n)", "n % n = 0", size=9, misere=True)
    assert str(refuted) == "first counterexample: n = 0: the guess gives no value; write: False if n = 0 else n % n = 0"
    refuted = laws.guess("kayles(n)", lambda n: True if n > 1 else None, size=9, misere=True)
    assert str(refuted) == "first counterexample: n = 0: the guess gives no value"
    refuted = laws.guess("kayles(a,b)", "a = b and a > 1", size=9, misere=True)
    assert (refuted.position, refuted.options) == ((0, 1), (1,))
    with pytest.raises(LimitError, match="a table of 25,000,000 entries"):
        laws.law_table("kayles(a,b)", size=5000, misere=True)


ALTERATIONS = [
    (_only_other, "the parts in the file are not the parts of kayles(a,b)"),
    (_without, "the parts in the file are not the parts of kayles(a,b)"),
    (
        lambda law: law["parts"][1].update(source="nim(b)"),
        "the text of the law should be: g(a,b) = g(kayles(a)) ^ g(nim(b))",
    ),
    (lambda law: law["parts"][0]["law"].update(status="holds"), "a proved law of the values of the part kayles(a)"),
    (
        lambda law: law["parts"][0]["law"].update(about="P-positions"),
        "a proved law of the values of the part kayles(a)",
    ),
    (lambda law: law["parts"][0].update(law={}), "a proved law of the values of the part kayles(a)"),
    (lambda law: law["parts"][0]["law"]["period"]["values"].__setitem__(9, 7), "heap 9 has the value 4, not 7"),
    (
        lambda law: law["parts"][1].update(law=law["parts"][0]["law"]),
        "the law has other names for its numbers than kayles(b): expected b",
    ),
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


WRONG = (("kayles(a)", ("a",)), ("take{1,2}(b)", ("b",)))


def test_parts_are_compared_with_the_whole(monkeypatch, tmp_path):
    record = laws_record("kayles(a,b)", laws.find("kayles(a,b)", size=16)[:1])
    (law,) = json.loads(json.dumps(record))["laws"]
    law["parts"][1] = {
        "source": "take{1,2}(b)",
        "law": json.loads(json.dumps(laws.find("take{1,2}(b)")[0].record())),
    }
    law["text"] = law["text"].replace("kayles(b)", "take{1,2}(b)")
    path = tmp_path / "law.json"
    path.write_text(json.dumps({**record, "laws": [law]}))
    monkeypatch.setattr(laws, "parts_with_names", lambda text, names: WRONG)
    monkeypatch.setattr(proofs, "parts_with_names", lambda text, names: WRONG)
    assert [
        found for found in laws.find("octal{0.77}(a) + kayles(b)", size=16) if hasattr(found.evidence, "parts")
    ] == []
    (checked,) = check_laws(path)
    assert "the parts in the file are not the parts of kayles(0,0)" in (checked.fault or "")
