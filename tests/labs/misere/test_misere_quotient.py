"""Misère quotients: published ones, outcomes by brute force, and a check that refuses what is wrong."""

import json
import re
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import GameGraph, explore
from graphgame.errors import CycleError, LimitError, ParameterError, ParseError, UnknownPositionError
from graphgame.labs import heaps
from graphgame.labs.bitboards.board_games import Notakto
from graphgame.labs.misere import (
    MisereQuotient,
    find_fault,
    heap_graph,
    heap_quotient,
    misere_quotient,
    prove_period,
    quotient_record,
    read_quotient,
    write_quotient,
)
from graphgame.labs.misere.solver import Candidate, QuotientLimits, StoppedError
from tests.brute import play_out
from tests.helpers import game
from tests.notations import table
from tests.strategies import dags_with_sums

PUBLISHED = table("misere-quotient")
HEAPS = {name: record for name, record in PUBLISHED.items() if "code" in record["input"]}
NOTAKTO = PUBLISHED["Notakto (3x3 X-only, misere, sum of boards)"]


def changed(quotient, **attributes):
    names = ("game", "labels", "words", "generators", "steps", "is_p", "asked", "stopped")
    return MisereQuotient(**({name: getattr(quotient, name) for name in names} | attributes))


class TestPublished:
    @pytest.mark.parametrize("name", HEAPS)
    def test_heap_game(self, name):
        """The same monoid, P-portion and pretending function, by the sums that stand for the elements."""
        given_, expected = HEAPS[name]["input"], HEAPS[name]["expected"]
        quotient = heap_quotient(heaps.octal(given_["code"].split()[0]), given_["heaps<="])
        elements = [quotient.element(*heaps_) for heaps_ in expected["element_reps (sums of heaps)"]]
        assert quotient.order == expected["order"] == len(set(elements))
        assert set(quotient.p_portion) == {elements[k] for k in expected["P_elements"]}
        assert quotient.images[1:] == [elements[k] for k in expected["pretending_function_heaps_1.."]]
        products = np.array(elements)[np.array(expected["multiplication"])]
        assert np.array_equal(quotient.table[np.ix_(elements, elements)], products)

    @pytest.mark.parametrize(
        ("name", "largest", "order", "lost"),
        [
            ("0.123", 80, 20, 5),
            ("0.75", 60, 8, 2),
            ("0.53", 80, 16, 3),
            ("0.71", 60, 36, 9),
            ("0.34", 60, 12, 3),
            ("0.3", 20, 2, 1),
            ("0.33", 20, 6, 2),
            ("0.3333", 20, 10, 2),
            ("grundy", 12, 6, 2),
            ("kayles", 60, 40, 9),
            ("0.31", 40, 6, 2),
            ("0.144", 40, 30, 5),
            ("0.152", 40, 34, 6),
            ("0.115", 60, 42, 12),
            ("0.26", 30, 98, 22),
            ("0.4107", 32, 126, 18),
            ("0.644", 40, 76, 7),
            ("0.07", 33, 638, 109),
            ("grundy", 28, 48, 7),
            ("0.775", 10, 152, 28),
        ],
    )
    def test_order(self, name, largest, order, lost):
        quotient = heap_quotient(heaps.game(name), largest)
        assert (quotient.order, len(quotient.p_portion), quotient.complete) == (order, lost, True)

    def test_notakto(self):
        """Plambeck and Whitehead's presentation and their list of boards."""
        quotient = misere_quotient(explore(Notakto()))
        boards = {"a": "-X-X-----", "b": "X-X------", "c": "---------", "d": "-XXX-----"}

        def element(word):
            letters = "".join(letter * int(power or 1) for letter, power in re.findall(r"([a-d])(\d?)", word))
            return quotient.element(*(position(boards[letter]) for letter in letters))

        def position(cells):
            rows = "/".join(cells[k : k + 3] for k in (0, 3, 6)).replace("-", ".")
            return Notakto().canonical(rows)

        expected = NOTAKTO["expected"]
        assert quotient.order == expected["order"]
        assert set(quotient.p_portion) == {element(word) for word in expected["P"]}
        for relation in NOTAKTO["input"]["relations"].split(","):
            left, right = relation.split("=")
            assert element(left) == element(right), relation
        for board, word in NOTAKTO["input"]["board_to_element (up to symmetry)"].items():
            assert quotient.element(position(board)) == element(word), board
        empty = position(boards["c"])
        assert [quotient.outcome(*[empty] * count) for count in range(1, 9)] == ["N", "P"] * 4


@settings(max_examples=150, deadline=None)
@given(dags_with_sums(9, 18))
def test_outcomes_by_brute_force(drawn):
    options, sums = drawn
    graph = game(options, sums)
    quotient = misere_quotient(graph, max_order=200)
    assert quotient.complete
    assert find_fault(quotient, graph) is None
    first_wins = play_out(options, sums, misere=True)
    for count in range(4):
        for positions in combinations_with_replacement(quotient.labels, count):
            assert (quotient.outcome(*positions) == "N") == first_wins(positions)[0]


@settings(max_examples=80, deadline=None)
@given(dags_with_sums(8, 14), st.data())
def test_every_change_is_found(drawn, data):
    """A quotient is unique, so whatever is changed in it makes it wrong."""
    options, sums = drawn
    graph = game(options, sums)
    quotient = misere_quotient(graph)
    if quotient.order == 1:
        return
    element = data.draw(st.integers(0, quotient.order - 1))
    is_p = quotient.is_p.copy()
    is_p[element] = not is_p[element]
    assert find_fault(changed(quotient, is_p=is_p), graph)
    place = data.draw(st.integers(0, len(quotient.labels) - 1))
    other = data.draw(st.sampled_from([(), *((generator,) for generator in quotient.generators)]))
    words = [*quotient.words[:place], other, *quotient.words[place + 1 :]]
    if place not in quotient.generators:
        same = changed(quotient, words=words).images == quotient.images
        assert (find_fault(changed(quotient, words=words), graph) is None) == same
    row, column = data.draw(st.integers(0, quotient.order - 1)), data.draw(st.integers(0, len(quotient.generators) - 1))
    steps = quotient.steps.copy()
    steps[row, column] = (steps[row, column] + 1) % quotient.order
    assert find_fault(changed(quotient, steps=steps), graph)


class TestPresentation:
    @pytest.mark.parametrize(("name", "largest"), [("0.123", 20), ("0.71", 20), ("kayles", 40), ("0.15", 30)])
    def test_relations_hold_and_suffice(self, name, largest):
        """Every relation holds, and exactly as many products as elements have no left side in them."""
        quotient = heap_quotient(heaps.game(name), largest)

        def letters(product):
            return re.sub(r"(\w)\^(\d+)", lambda m: m[1] * int(m[2]), product).replace("1", "")

        def element(product):
            return quotient.element(*(quotient.letters[letter] for letter in letters(product)))

        def contains(product, part):
            return all(product.count(letter) >= part.count(letter) for letter in part)

        assert all(element(longer) == element(shorter) for longer, shorter in quotient.relations)
        left = [letters(longer) for longer, _ in quotient.relations]
        irreducible, layer = [], [""]
        while layer:
            irreducible += layer
            grown = {"".join(sorted(product + letter)) for product in layer for letter in quotient.letters}
            layer = [product for product in grown if not any(contains(product, part) for part in left)]
        assert sorted(map(letters, quotient.names)) == sorted(irreducible)

    def test_period_tells_of_all_heaps(self):
        quotient, further = (heap_quotient(heaps.octal("0.71"), largest) for largest in (30, 90))
        assert (quotient.period.preperiod, quotient.period.period) == (3, 6)
        for one, two in combinations_with_replacement(range(31, 91), 2):
            assert quotient.outcome(one, two, 5) == further.outcome(one, two, 5)
        assert quotient.outcome(10**30, 10**30) in ("P", "N")

    def test_kayles_for_all_heaps(self):
        period = heap_quotient(heaps.octal("0.77"), 200).period
        assert (period.preperiod, period.period) == (71, 12)

    def test_no_period_for_other_rules(self):
        assert heap_quotient(heaps.game("take{not 2,3}"), 8).period is None
        assert heap_quotient(heaps.game("grundy"), 12).period is None


class TestLimits:
    @pytest.mark.parametrize(
        ("limit", "reason"),
        [
            ({"max_order": 100}, "with one more position, the quotient has more than 100 elements"),
            ({"max_outcomes": 3000}, "the search stores more than 3,000 outcomes of sums"),
            ({"timeout": 1e-9}, "the time limit of 1e-09 s is over"),
        ],
    )
    def test_partial_result_is_proved(self, limit, reason):
        dawson = heaps.octal("0.07")
        quotient = heap_quotient(dawson, 40, **limit)
        assert (quotient.complete, quotient.stopped, quotient.asked) == (False, reason, 41)
        assert len(quotient.labels) < 41
        assert find_fault(quotient, heap_graph(dawson, 40)) is None

    def test_candidates_without_end(self):
        """Grundy's game has order 48 up to heap 28, and no quotient of moderate size beyond."""
        quotient = heap_quotient(heaps.game("grundy"), 40, max_order=300)
        assert (quotient.order, quotient.labels[-1]) == (48, 28)
        reason = (
            r"an intermediate quotient has more than 1,200 elements; with one more position, the quotient has at "
            r"least (\d+) .*"
        )
        assert 48 < int(re.fullmatch(reason, quotient.stopped)[1]) < 1200

    def test_least_order_of_a_quotient(self, monkeypatch):
        """What candidates show of the quotient's order on the way is true of it."""
        shown = []
        refined = Candidate.refined
        monkeypatch.setattr(
            Candidate, "refined", lambda self, sum_: shown.append(self.distinct(sum_)) or refined(self, sum_)
        )
        order = heap_quotient(heaps.octal("0.07"), 25).order
        assert 24 < max(shown) <= order == 144

    def test_resume(self):
        dawson, graph = heaps.octal("0.07"), heap_graph(heaps.octal("0.07"), 22)
        partial = heap_quotient(dawson, 22, max_order=20)
        assert partial.labels[-1] < 22
        resumed, direct = heap_quotient(dawson, 22, resume=partial), heap_quotient(dawson, 22)
        assert (resumed.order, resumed.names, resumed.complete) == (direct.order, direct.names, True)
        assert len(partial.images) == len(partial.labels)
        assert find_fault(resumed, graph) is None

    def test_resume_without_time(self):
        partial = heap_quotient("0.77", 12)
        stopped = heap_quotient("0.77", 40, resume=partial, timeout=1e-9)
        assert (stopped.labels, stopped.names) == (partial.labels, partial.names)
        assert stopped.stopped == "the time limit of 1e-09 s is over"

    @pytest.mark.parametrize("run", range(1, 40, 4))
    def test_time_over_at_any_run_of_the_loop(self, monkeypatch, run):
        runs = iter(range(1, 10**6))

        def check(limits, order, outcomes):
            if next(runs) == 5 * run:
                raise StoppedError("no time")

        monkeypatch.setattr(QuotientLimits, "check", check)
        stopped = heap_quotient("0.77", 40)
        monkeypatch.undo()
        assert stopped.stopped == "no time"
        assert max(stopped.generators, default=0) < max(len(stopped.labels), 1)
        assert find_fault(stopped, heap_graph("0.77", 40)) is None

    def test_period_of_no_heaps(self):
        quotient = heap_quotient("0.77", 5, timeout=1e-9)
        assert quotient.labels == []
        prove_period(quotient, "0.77")
        assert quotient.period is None

    def test_resume_of_another_game(self):
        with pytest.raises(ParameterError, match=r"quotient of 'octal\{0.07\}' is wrong for these positions"):
            heap_quotient(heaps.octal("0.77"), 30, resume=heap_quotient(heaps.octal("0.07"), 10))

    def test_resume_with_fewer_heaps(self):
        with pytest.raises(ParameterError, match="the quotient has 11 positions, but the graph has only 6 positions"):
            heap_quotient("0.77", 5, resume=heap_quotient("0.77", 10))

    def test_graph_of_heaps(self):
        with pytest.raises(LimitError):
            heap_quotient(heaps.octal("0.77"), 100, max_positions=50)
        with pytest.raises(ParameterError, match="invalid heaps -1: expected an integer of 0 or more"):
            heap_graph(heaps.octal("0.77"), -1)

    def test_unknown_position(self):
        with pytest.raises(UnknownPositionError, match="position 11 is none of the positions"):
            heap_quotient(heaps.octal("0.77"), 10).outcome(11)

    def test_integers_of_numpy(self):
        quotient = heap_quotient("0.123", 20)
        assert quotient.outcome(np.int64(10**6)) == quotient.outcome(10**6)
        graph = GameGraph({np.int64(1): [np.int64(0)]})
        assert quotient_record(misere_quotient(graph))["positions"] == [0, 1]

    def test_cycle(self):
        with pytest.raises(CycleError):
            misere_quotient(GameGraph([(1, 2), (2, 1)]))


class TestSmall:
    def test_no_positions(self):
        quotient = misere_quotient(GameGraph([]))
        assert (quotient.order, quotient.outcome()) == (1, "N")

    def test_only_terminal_positions(self):
        quotient = misere_quotient(GameGraph({1: [], 2: []}))
        assert (quotient.order, quotient.relations, quotient.outcome(1, 2)) == (1, [], "N")

    def test_one_move(self):
        quotient = misere_quotient(GameGraph({1: [0]}))
        assert (quotient.names, quotient.relations, quotient.p_portion) == (["1", "a"], [("a^2", "1")], [1])


class TestFiles:
    def test_round_trip(self, tmp_path):
        quotient = heap_quotient(heaps.octal("0.07"), 40, max_order=30)
        write_quotient(quotient, tmp_path / "q.json.gz")
        found = read_quotient(tmp_path / "q.json.gz")
        assert quotient_record(found) == quotient_record(quotient)
        assert find_fault(found, heap_graph(heaps.octal("0.07"), 40)) is None

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"format": "other"}, "expected an object with"),
            ({"steps": None}, '"steps" is not a list'),
            ({"steps": []}, '"steps" does not have the product'),
            ({"steps": [[0], [9]]}, '"steps" does not have the product'),
            ({"steps": [[1, 1], [0, 0]]}, '"steps" does not have the product'),
            ({"generators": [5]}, "a generator is not the index"),
            ({"generators": [1, 1]}, "a generator is not the index"),
            ({"words": [[]]}, '"words" does not have a list'),
            ({"words": [[], [0]]}, '"words" does not have a list'),
            ({"positions": [[], 1]}, "a position is neither an integer"),
            ({"p_portion": [2]}, '"p_portion" is not a list of elements'),
            ({"p_portion": [True]}, '"p_portion" is not a list of elements'),
            ({"asked": "x"}, '"asked" is not an integer'),
            ({"stopped": 1}, '"stopped" is neither a string'),
        ],
    )
    def test_wrong_form(self, tmp_path, change, message):
        record = quotient_record(misere_quotient(GameGraph({1: [0]}))) | change
        (tmp_path / "q.json").write_text(json.dumps(record))
        with pytest.raises(ParseError, match=message):
            read_quotient(tmp_path / "q.json")

    @pytest.mark.parametrize("text", ["", "[", "[" * 100_000, "3", "\0"])
    def test_no_json(self, tmp_path, text):
        (tmp_path / "q.json").write_text(text)
        with pytest.raises(ParseError):
            read_quotient(tmp_path / "q.json")


class TestCheck:
    QUOTIENT = misere_quotient(GameGraph({2: [1, 0], 1: [0]}))
    GRAPH = GameGraph({2: [1, 0], 1: [0]})

    @pytest.mark.parametrize(
        ("attributes", "fault"),
        [
            (
                {"labels": [0, 2, 1]},
                "the list of the graph's positions does not start with the positions of the quotient",
            ),
            ({"steps": np.zeros((0, 2), np.int32)}, "the steps of the quotient do not define a commutative monoid"),
            ({"steps": np.zeros((6, 2), np.int32)}, "the steps of the quotient do not define a commutative monoid"),
            ({"is_p": np.ones(6, np.bool_)}, "the element 1, the empty sum, is in the P-portion"),
            ({"is_p": np.zeros(6, np.bool_)}, "two elements have the same outcome with every third element"),
            ({"words": [(1,), (1,), (2,)]}, "position 0 has no option"),
            ({"words": [(), (2,), (2,)]}, "leads to another P-position|has no move"),
        ],
    )
    def test_faults(self, attributes, fault):
        assert re.match(f".*({fault})", find_fault(changed(self.QUOTIENT, **attributes), self.GRAPH))

    def test_elements_of_no_sum(self):
        """Position 2 has the element 1, so the generator 2 is the element of no sum: the quotient is too large."""
        quotient = changed(self.QUOTIENT, words=[(), (1,), ()])
        assert find_fault(quotient, GameGraph({2: [1], 1: [0]})) == (
            'for a generator, the members "words" and "steps" give different elements'
        )
