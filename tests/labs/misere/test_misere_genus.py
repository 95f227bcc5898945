"""Genera and misère canonical forms: published tables, brute force, Conway's counts."""

from itertools import chain, combinations, combinations_with_replacement, product

import networkx as nx
import pytest
from hypothesis import given, settings

from graphgame import GameGraph, explore
from graphgame.errors import CycleError, LimitError, UnknownPositionError
from graphgame.labs import heaps
from graphgame.labs.misere import Genus, MisereForms, genus_table, heap_graph
from graphgame.rules.notation import parse_position
from tests.brute import grundy_values, play_out
from tests.helpers import game
from tests.notations import table
from tests.strategies import dags_with_sums

NOTATION = {
    "Subtraction(2,3,7)": "take{2,3,7}",
    "AllButSub(2,3,7)": "take{not 2,3,7}",
    "Kayles 0.77": "0.77",
    "0.312": "0.312",
}
GENERA = table("misere-genus")
CANONICAL = table("misere-canonical")


def heap_genera(name, largest=20):
    found = genus_table(heap_graph(heaps.game(NOTATION.get(name, name)), largest))
    return [found[heap] for heap in range(largest + 1)]


def form_of(forms, tree):
    return forms.form(form_of(forms, option) for option in tree)


class TestPublished:
    @pytest.mark.parametrize("name", [name for name in GENERA if name != "0.312"])
    def test_heaps_0_to_20(self, name):
        expected, found = GENERA[name]["expected"], heap_genera(name)
        assert [str(genus) for genus in found] == expected["genus"]
        assert [genus.misere_value for genus in found] == expected["misere_nim_values"]
        assert [[genus.base, genus.values(7)] for genus in found] == expected["expanded_first7"]

    def test_unabridged_symbols(self):
        """Another author prints 0.312 without abbreviations."""
        for genus, symbol in zip(heap_genera("0.312", 6)[1:], GENERA["0.312"]["expected"], strict=True):
            base, digits = symbol.split("^")
            assert (genus.base, genus.values(len(digits))) == (int(base), list(map(int, digits)))

    def test_wythoff(self):
        found = genus_table(parse_position("wythoff(10,20)").graph())
        row = [str(found[min(10, b), max(10, b)]) for b in range(21)]
        assert row == table("coordinate-misere")["Wythoff genus row 10"]["expected"]

    @pytest.mark.parametrize("name", CANONICAL)
    def test_canonical_form(self, name):
        record, forms = CANONICAL[name], MisereForms()
        tree, expected = record["input"]["option_tree"], record["expected"]
        number = form_of(forms, tree)
        assert forms.birthday[number] == expected["birthday"]
        assert forms.grundy[number] == expected["nim"]
        assert len(forms.options[number]) == expected["options"].count("*[")
        genus = genus_table(graph_of(tree))[repr(tree)]
        assert str(genus) == expected["genus"]
        assert genus.values(8) == expected["superscript_first8"]
        assert (genus.misere_value, genus.misere_outcome) == (expected["misere_nim"], expected["misere_outcome"])

    def test_games_born_by_day_4(self):
        """Conway counts 1, 2, 3, 5, 22 (On Numbers and Games, chapter 12)."""
        forms, born, counts = MisereForms(), set(), []
        for _ in range(5):
            subsets = chain.from_iterable(combinations(sorted(born), size) for size in range(len(born) + 1))
            born = {forms.form(subset) for subset in subsets}
            counts.append(len(born))
        assert counts == [1, 2, 3, 5, 22]


def graph_of(tree):
    graph = {}
    stack = [tree]
    for node in stack:
        graph[repr(node)] = [repr(option) for option in node]
        stack.extend(node)
    return GameGraph(graph)


def with_nim_heaps(options, largest):
    """Add heaps of Nim 0..largest to a game; heap k is vertex len(options) + k."""
    first = len(options)
    return options | {first + size: [first + smaller for smaller in range(size)] for size in range(largest + 1)}


@settings(max_examples=60, deadline=None)
@given(dags_with_sums(7, 10))
def test_definition(drawn):
    """The i-th entry is the heap of Nim that makes a P-position with the position and i heaps of two."""
    options, sums = drawn
    found, normal = genus_table(game(options, sums)), grundy_values(options, sums)
    first_wins = play_out(with_nim_heaps(options, 20), sums, misere=True)
    heap = len(options)
    for position, genus in found.items():
        assert genus.base == normal[position]
        for count, value in enumerate(genus.values(3)):
            sizes = [k for k in range(21) if not first_wins((position, *[heap + 2] * count, heap + k))[0]]
            assert sizes == [value]


@settings(max_examples=100, deadline=None)
@given(dags_with_sums(8, 14))
def test_equal_forms_have_equal_outcomes_in_all_sums(drawn):
    options, sums = drawn
    found = genus_table(game(options, sums))
    first_wins = play_out(with_nim_heaps(options, 3), sums, misere=True)
    others = [*found, *range(len(options), len(options) + 4)]
    pairs = [(a, b) for a, b in combinations(found, 2) if found.form[a] == found.form[b]]
    for (a, b), company in product(pairs, combinations_with_replacement(others, 2)):
        assert first_wins((a, *company))[0] == first_wins((b, *company))[0]


@settings(max_examples=100, deadline=None)
@given(dags_with_sums(8, 14))
def test_tame_positions_behave_as_nim(drawn):
    options, sums = drawn
    found = genus_table(game(options, sums))
    first_wins = play_out(options, sums, misere=True)
    tame = [position for position, genus in found.items() if genus.kind == "tame"]
    for parts in combinations_with_replacement(tame, 3):
        genera = [found[part] for part in parts]
        total = genera[0].base ^ genera[1].base ^ genera[2].base
        only_ones = all(genus.misere_value != genus.base for genus in genera)
        assert first_wins(parts)[0] == (total != only_ones)


class TestKinds:
    def test_two_values_tell_the_rest(self):
        """The abridged symbols of tame and restive positions leave nothing open, for games of few options."""
        few = [[], [0], [0, 1], [0, 1, 2], [2], [3], [2, 3], [0, 4], [4], [1, 3], [1, 2, 6], [0, 6]]
        many = [list(chosen) for size in (1, 2, 3) for chosen in combinations(range(len(few)), size)]
        options = dict(enumerate(few + many))
        seen = set()
        for genus in genus_table(game(options)).values():
            base, first = genus.base, genus.misere_value
            later = first if genus.kind == "restive" and first < 4 else base
            if genus.kind in ("tame", "restive"):
                seen.add((genus.kind, base, first))
                assert genus.values(7) == [first, *(later ^ 2 * (place % 2) for place in range(1, 7))]
        assert {("tame", 0, 1), ("tame", 2, 2), ("restive", 1, 2)} <= seen

    @pytest.mark.parametrize(
        ("tree", "kind"),
        [
            ([], "tame"),
            ([[], [[]]], "tame"),
            ([[], [[[], [[]]]]], "restive"),
        ],
    )
    def test_small(self, tree, kind):
        assert genus_table(graph_of(tree))[repr(tree)].kind == kind

    def test_tame_in_the_wide_sense_alone(self):
        """In CGSuite ``*[(2#1)2##]`` is generally tame, but not tame."""
        options = {"0": [], "1": ["0"], "2": ["0", "1"], "2#": ["2"], "2##": ["2#"], "2#1": ["2#", "1"]}
        table = genus_table(nx.DiGraph(options | {"wide": ["2#1", "2##"], "above": ["wide"]}))
        kinds = {position: (str(genus), genus.kind, genus.hereditarily_tame) for position, genus in table.items()}
        assert kinds["2#"] == ("0^0", "tame", True)
        assert kinds["2#1"] == ("2^1420", "restless", False)
        assert kinds["wide"] == ("0^0", "tame", False)
        assert kinds["above"] == ("1^1", "tame", False)

    @given(dags_with_sums(8, 14))
    def test_hereditarily_tame(self, drawn):
        found = genus_table(game(*drawn))
        forms, of_form = found.forms, {found.form[position]: genus for position, genus in found.items()}
        for form, genus in of_form.items():
            known = [of_form[option] for option in forms.options[form] if option in of_form]
            if genus.hereditarily_tame:
                assert genus.kind == "tame"
                assert all(option.hereditarily_tame for option in known)
            elif len(known) == len(forms.options[form]):
                assert genus.kind != "tame" or not all(option.hereditarily_tame for option in known)

    def test_kayles(self):
        kinds = [genus.kind for genus in heap_genera("0.77")]
        assert kinds.index("restless") == 5
        assert kinds[6:11] == ["tame", "tame", "tame", "wild", "tame"]

    def test_symbol_of_large_values(self):
        assert str(Genus(8, (10, 8), "wild", is_nim_heap=False)) == "8^(10,8)"
        assert str(Genus(13, (13, 15), "tame", is_nim_heap=False)) == "13^(13)"


class TestForms:
    def test_sum_of_equal_parts_is_not_zero(self):
        forms = MisereForms()
        two = forms.form([0, forms.form([0])])
        assert forms.add(two, two) != 0

    def test_end_proviso(self):
        """A game whose options can all be answered by ending the game equals 0 only if it is an N-position."""
        forms = MisereForms()
        one = forms.form([0])
        assert forms.form([one]) == 0
        two = forms.form([0, one])
        assert forms.form([two]) != 0

    def test_long_text_is_cut(self):
        found = genus_table(heap_graph(heaps.octal("0.77"), 12))
        text = found.forms.text(found.form[12], 60)
        assert len(text) <= 60
        assert text.endswith(", ...}")


def test_limit():
    with pytest.raises(LimitError, match="max_forms=100") as caught:
        genus_table(heap_graph(heaps.octal("0.77"), 40), max_forms=100)
    assert caught.value.limit == "max_forms"


def test_full_store_stays_full():
    forms = MisereForms(limit=3)
    forms.form([0, forms.form([0])])
    for _ in range(2):
        with pytest.raises(LimitError):
            forms.form([0, 1, 2])
        with pytest.raises(LimitError):
            forms.add(1, 1)
        assert len(forms) == 3


def test_single_positions_need_no_sums():
    graph = GameGraph({heap: range(heap) for heap in range(10)})
    assert [str(genus) for genus in genus_table(graph, max_forms=10).values()] == list("0123456789")


def test_unknown_position():
    with pytest.raises(UnknownPositionError, match="position 9 is not a vertex of the graph"):
        genus_table(GameGraph([(1, 2)]))[9]


def test_cycle():
    with pytest.raises(CycleError):
        genus_table(GameGraph([(1, 2), (2, 1)]))


def test_long_games_need_no_recursion():
    found = genus_table(explore(heaps.game("take{1,2}").ruleset, 20_000))
    assert [str(found[heap]) for heap in range(19_998, 20_001)] == ["0", "1", "2"]
