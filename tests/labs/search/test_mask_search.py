"""The compiled search among sets of cells: against the definition, the whole graph, and published values."""

import re
from functools import cache, reduce
from itertools import combinations, product
from operator import xor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import Search, Sum, check, explore, mex, parse_position, solve
from graphgame.compiled import compiling
from graphgame.errors import LimitError
from graphgame.games import ruleset
from graphgame.labs.bitboards.placement import MaskGame, MaskRuleset, bits
from graphgame.labs.search import board_search, small_graphs
from graphgame.labs.search.board_search import MaskSolver
from graphgame.labs.search.nimber_search import Budget, Solver
from graphgame.rules.position import Component, Position
from tests import ROOT
from tests.notations import table


def rules_of(game):
    return type("Rules", (MaskRuleset,), {"game": game})()


def search(game, mask=None, **options):
    rules = rules_of(game)
    parts = game.components(game.everything if mask is None else mask)
    return Search(Position([Component("rules", rules, part) for part in parts]), **options)


def by_definition(game):
    """Return what gives the value of any set of cells, as it is defined."""

    @cache
    def value(left):
        moves = [(taken, put) for needed, taken, put in game.moves if not needed & ~left]
        return mex(value(left & ~taken | put) for taken, put in moves)

    return value


@st.composite
def games(draw):
    """Draw a game of any moves on a few cells."""
    cells = draw(st.integers(1, 8))
    sets = st.integers(1, (1 << cells) - 1)
    moves = []
    for needed, other, put in draw(st.lists(st.tuples(sets, sets, sets), min_size=1, max_size=9)):
        taken = needed & other or needed
        changed = draw(st.booleans()) and taken.bit_count() > (put & ~needed).bit_count()
        moves.append((needed, taken | other, put & ~needed & ~other if changed else 0))
    return MaskGame(cells, moves, whole=draw(st.booleans()))


class TestAgainstTheDefinition:
    @given(games(), st.data())
    @settings(max_examples=150, deadline=None)
    def test_any_moves(self, game, data):
        mask = data.draw(st.integers(1, game.everything))
        value = by_definition(game)(mask)
        found = search(game, mask)
        assert (found.outcome, found.grundy) == ("N" if value else "P", value)
        parts = list(game.components(mask))
        graph = explore(rules_of(game), *parts)
        assert reduce(xor, map(solve(graph).grundy.__getitem__, parts), 0) == value

    @given(st.integers(1, 4), st.integers(1, 4), st.data())
    @settings(max_examples=40, deadline=None)
    def test_shapes_on_a_board(self, rows, columns, data):
        shapes = data.draw(st.sets(st.sampled_from(["o", "oo", "ooo", "oo/o.", "o./.o", "oo/oo"]), min_size=1))
        game = MaskGame.placing(rows, columns, sorted(shapes))
        mask = data.draw(st.integers(1, game.everything))
        assert search(game, mask).grundy == by_definition(game)(mask)

    @given(st.integers(0, 2), st.data())
    @settings(max_examples=40, deadline=None)
    def test_clobber(self, shape, data):
        """A stone takes a neighbour of the other colour, and stands there: cell 2s + k is a stone of colour k on s."""
        rows, columns = [(1, 7), (2, 4), (3, 3)][shape]
        sites = rows * columns
        pairs = [(s, s + 1) for s in range(sites) if (s + 1) % columns] + [
            (s, s + columns) for s in range(sites - columns)
        ]
        moves = []
        for (a, b), k in product([*pairs, *((b, a) for a, b in pairs)], (0, 1)):
            both = 1 << 2 * a + k | 1 << 2 * b + 1 - k
            moves.append((both, both, 1 << 2 * b + k))
        game = MaskGame(2 * sites, moves, symmetries=[[cell ^ 1 for cell in range(2 * sites)]])
        stones = data.draw(st.lists(st.sampled_from([0, 1, 2]), min_size=sites, max_size=sites))
        mask = sum(stone << 2 * site for site, stone in enumerate(stones))
        assert search(game, mask).grundy == by_definition(game)(mask)

    @pytest.mark.parametrize("cells", [9, 62, 63])
    def test_large_values(self, cells):
        """A heap of Nim; the loops have no room for the value 63, and another search takes over."""
        heap = MaskGame(cells, [(1 << c, (1 << cells) - (1 << c)) for c in range(cells)], whole=True)
        assert search(heap).grundy == cells


def moved_apart(game, cells):
    """Return the game with its cells spread over ``cells`` cells, and a function that spreads a mask alike."""
    step = cells // game.cells

    def move(mask):
        return sum(1 << step * cell + step - 1 for cell in bits(mask))

    moved = [tuple(map(move, each)) for each in game.moves]
    return MaskGame(cells, moved, whole=game.whole), move


class TestWideMasks:
    @pytest.mark.parametrize("cells", [64, 128, 129, 256])
    @given(game=games(), data=st.data())
    @settings(max_examples=25, deadline=None)
    def test_any_moves(self, cells, game, data):
        mask = data.draw(st.integers(1, game.everything))
        wide, move = moved_apart(game, cells)
        assert search(wide, move(mask)).grundy == by_definition(game)(mask)

    @given(st.integers(0, 3), st.data())
    @settings(max_examples=40, deadline=None)
    def test_a_board(self, shape, data):
        """A few cells of a large board, which the turns of all boards tell apart, against the same without turns."""
        rows, columns = [(10, 10), (8, 12), (16, 16), (5, 7)][shape]
        game = MaskGame.placing(rows, columns, ["oo", "o.o"])
        spots = data.draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=11))
        row, column = data.draw(st.integers(0, rows - 4)), data.draw(st.integers(0, columns - 4))
        mask = sum({1 << (row + a) * columns + column + b for a, b in spots})
        assert search(game, mask).grundy == by_definition(game)(mask)

    def test_the_loops_are_the_same_uncompiled(self, monkeypatch):
        compiled = Search("node-kayles(queens:8)")
        assert compiled.grundy == table("node-kayles")["n-queens graph"]["expected"][8]
        monkeypatch.setattr(board_search, "runner", lambda loop, size: compiling.runner(loop, 0))
        plain = Search("node-kayles(queens:8@1.1,1.2,2.4,3.6,4.1,4.4,5.2,6.6,7.7,8.1,8.8)")
        assert plain.grundy == Search(str(plain.position)).grundy


def test_values_of_the_results_page():
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    columns = zip(*(re.findall(r"\d+", line) for line in re.findall(r"^\| (?:n|value) \|.*", page, re.M)), strict=True)
    values = {int(n): int(value) for n, value in columns}
    assert all(Search(f"node-kayles(grid:3x{n})").grundy == values[n] for n in (17, 18, 19, 20))


class TestAgainstTheGraph:
    @pytest.mark.parametrize(
        "text",
        ["cram(4x5)", "chomp(4x5)", "node-kayles(grid:4x5)", "arc-kayles(grid:3x5)", "cannibal-clobber(grid:3x4)"],
    )
    def test_every_position(self, text):
        """Ask for all positions of a board, each time with what is known from those before."""
        component = parse_position(text).components[0]
        rules, whole = component.ruleset, component.position
        solver = MaskSolver(component.name, rules, Budget())
        positions = [p for p in explore(rules, whole).labels if not isinstance(p, Sum)]
        for position in positions[::5]:
            expected = by_definition(rules.on_board(position)[0])(rules.on_board(position)[1])
            assert solver.has_value([position], expected)
            assert not solver.has_value([position], expected + 1)
            assert solver.value([position]) == expected
        assert right(solver)


class TestPublished:
    @pytest.mark.parametrize("size", ["3x6", "3x7", "4x5", "4x6", "4x7", "5x5", "5x6"])
    def test_cram(self, size):
        assert Search(f"cram({size})").grundy == table("cram")["empty boards (normal)"]["expected"][size]

    def test_node_kayles_on_queens(self):
        values = table("node-kayles")["n-queens graph"]["expected"]
        assert [Search(f"node-kayles(queens:{n})").grundy for n in range(6, 12)] == values[6:12]

    def test_chomp(self):
        text = "chomp(9,9,8,8,5,4,2)"
        assert Search(text).grundy == solve(parse_position(text).graph()).nim_sum


@st.composite
def dense_graphs(draw):
    """Draw a game of Node Kayles on a graph with many edges."""
    cells, seed, often = draw(st.integers(20, 27)), draw(st.randoms(use_true_random=False)), draw(st.floats(0.86, 0.97))
    near = [1 << cell for cell in range(cells)]
    for a, b in combinations(range(cells), 2):
        if seed.random() < often:
            near[a], near[b] = near[a] | 1 << b, near[b] | 1 << a
    path = [(1 << cell + 3) - (1 << cell) >> 1 & 1023 for cell in range(10)]  # few edges somewhere
    near = [n & ~1023 | path[cell] if cell < 10 else n for cell, n in enumerate(near)]
    return MaskGame(cells, [(1 << cell, each) for cell, each in enumerate(near)], near=near)


class TestDenseGraphs:
    @pytest.mark.parametrize("sets", [None, 3])
    @given(game=dense_graphs(), data=st.data())
    @settings(max_examples=40, deadline=None)
    def test_graphs(self, sets, game, data):
        """Uncompiled as well, where large graphs are soon given up."""
        mask = data.draw(st.integers(1, game.everything)) | data.draw(st.sampled_from([0, game.everything]))
        with pytest.MonkeyPatch.context() as patched:
            if sets:
                patched.setattr(small_graphs, "_MOST_SETS", sets)
                patched.setattr(board_search, "runner", lambda loop, size: compiling.runner(loop, 0))
            found = search(game, mask)
            assert found.grundy == by_definition(game)(mask)
        assert all(map(right, (solver for solver, _ in found._sums)))


def right(solver):
    """Tell whether all is true that a search has in its tables."""
    for search in solver._searches.values():
        value = by_definition(search._game)
        for mask, fact in search.facts():
            if not (fact == value(mask) if fact >= 0 else not ~fact >> value(mask) & 1):
                return False
    return True


class TestThreads:
    """Several threads join at once, where otherwise they would only after many positions."""

    @pytest.fixture(autouse=True)
    def at_once(self, monkeypatch):
        monkeypatch.setattr(board_search, "_SINGLE_THREAD_POSITIONS", 0)
        monkeypatch.setattr(board_search, "_CALL_SECONDS", 1e-4)

    @given(games(), st.data())
    @settings(max_examples=40, deadline=None)
    def test_any_moves(self, game, data):
        mask = data.draw(st.integers(1, game.everything))
        assert search(game, mask, jobs=3).grundy == by_definition(game)(mask)

    @pytest.mark.parametrize("text", ["cram(4x7)", "chomp(7x7)", "arc-kayles(grid:3x6)", "node-kayles(queens:9)"])
    def test_as_one(self, text):
        alone, together = Search(text, jobs=1), Search(text, jobs=4)
        assert together.grundy == alone.grundy
        assert len(together._sums[0][0]._searches.popitem()[1]._workers) == 4

    @pytest.mark.parametrize("memory", [3_000, 100_000])
    def test_what_they_write_is_true(self, monkeypatch, memory):
        """A small table is written over all the time, by seven threads at a few rows."""
        monkeypatch.setattr(board_search, "_FIRST_SLOTS", 64)
        found = Search("cram(4x5)", memory=memory, jobs=7)
        assert (found.grundy, right(found._sums[0][0])) == (2, True)

    def test_a_limit_of_positions(self):
        found = Search("cram(4x5)", max_positions=300, jobs=4)
        with pytest.raises(LimitError, match="a table of more than 300 positions"):
            _ = found.grundy
        assert (found.kept, right(found._sums[0][0])) == (300, True)

    def test_an_interrupt_leaves_what_was_found(self):
        def stop(visited, depth):
            if visited > 3000:
                raise KeyboardInterrupt

        found = Search("cram(4x7)", jobs=3, progress=stop)
        with pytest.raises(KeyboardInterrupt):
            _ = found.grundy
        solver = found._sums[0][0]
        before = dict(*(facts for _, facts in solver.boards))
        found._budget._progress = None
        assert found.grundy == 3
        assert before.keys() <= dict(*(facts for _, facts in solver.boards)).keys()
        assert len(before) > 2000

    def test_what_was_written_on_the_way_serves_other_threads(self, tmp_path):
        """As after a crash: the table of some moment is all that is left."""

        def write(visited, depth):
            if first.kept > 200 and not path.exists():
                first.write_table(path)

        path = tmp_path / "table.txt"
        first = Search("cram(4x5)", jobs=3, progress=write)
        assert first.grundy == 2
        for jobs in (1, 3):
            again = Search("cram(4x5)", jobs=jobs)
            again.read_table(path)
            assert 200 < again.kept < first.kept
            assert (again.grundy, right(again._sums[0][0])) == (2, True)

    def test_one_at_least(self):
        with pytest.raises(ValueError, match="invalid jobs 0: expected an integer of 1 or more"):
            Search("cram(4x4)", jobs=0)


class TestWhatFallsApart:
    """A position of Chomp may be two components, though it is one position of the rules."""

    def test_a_certificate(self):
        search = Search("chomp(6,3,3,2)")
        assert search.certificate(value=True).fault(search.position) is None

    def test_a_table_of_another_search(self, monkeypatch, tmp_path):
        plain, compiled = Solver("chomp", ruleset("chomp"), Budget()), Search("chomp(4,3)")
        corner = ruleset("chomp").canonical((4, 1))
        assert plain.value([corner]) == 2
        compiled._sums[0][0].keep(corner, 2)
        assert compiled._sums[0][0].fact(corner) < 0
        assert compiled.grundy == solve(parse_position("chomp(4,3)").graph()).nim_sum
        assert compiled._sums[0][0].fact(corner) in (2, -1)


class TestMemory:
    def test_little_memory_loses_no_answer(self, monkeypatch):
        monkeypatch.setattr(board_search, "_FIRST_SLOTS", 64)
        found = Search("cram(4x5)", memory=3000)
        assert (found.grundy, found.kept < 150) == (2, True)

    def test_a_table_that_grows(self, monkeypatch):
        monkeypatch.setattr(board_search, "_FIRST_SLOTS", 64)
        found = Search("cram(4x5)")
        assert (found.grundy, found.kept > 500) == (2, True)

    def test_a_table_is_read_that_holds_more_than_other_games_may_keep(self, monkeypatch, tmp_path):
        monkeypatch.setattr("graphgame.labs.search.nimber_search.MAX_POSITIONS", 100)
        found, again = Search("cram(4x5)"), Search("cram(4x5)")
        assert (found.grundy, found.kept > 500) == (2, True)
        found.write_table(tmp_path / "table")
        again.read_table(tmp_path / "table")
        assert (again.grundy, again.visited, again.kept) == (2, 0, found.kept)

    def test_a_limit_of_positions(self):
        found = Search("cram(4x5)", max_positions=70)
        with pytest.raises(LimitError, match="a table of more than 70 positions"):
            _ = found.grundy
        assert found.kept == 70


class TestPlain:
    def test_the_loops_are_the_same_uncompiled(self, monkeypatch):
        compiled = Search("cram(3x5)")
        assert compiled.grundy == 1
        monkeypatch.setattr(board_search, "runner", lambda loop, size: compiling.runner(loop, 0))
        plain = MaskSolver("cram", ruleset("cram"), budget := Budget())
        assert (plain.value(["...../...../....."]), budget.visited) == (1, compiled.visited)

    def test_without_the_compiler_another_search_answers(self, monkeypatch):
        monkeypatch.setattr("graphgame.labs.search.answers.use_compiled", lambda size: False)
        found = Search("cram(3x5)")
        assert (found.grundy, type(found._sums[0][0])) == (1, Solver)


class TestDescriptions:
    @pytest.mark.parametrize(
        ("moves", "message"),
        [
            ([(1, 2)], "a move must clear at least one of the cells that it needs"),
            ([(3, 1, 4)], "set fewer cells than it clears of these"),
            ([(7, 3, 4)], "not set a cell that it needs but does not clear"),
            ([(8, 8)], r"expected cells in 0\.\.2"),
        ],
    )
    def test_a_move_that_is_none(self, moves, message):
        with pytest.raises(ValueError, match=message):
            MaskGame(3, moves)

    def test_a_symmetry_that_is_none(self):
        with pytest.raises(ValueError, match="permutations"):
            MaskGame(3, [(1, 1)], symmetries=[[0, 0, 1]])

    def test_symmetries_make_others(self):
        moves = [(1 << cell, 1 << cell) for cell in range(6)]
        turned = MaskGame(6, moves, symmetries=[[1, 2, 3, 4, 5, 0], [5, 4, 3, 2, 1, 0]])
        assert len(set(turned.symmetries)) == 11
        with pytest.raises(ValueError, match="more than 256"):
            MaskGame(6, moves, symmetries=[[1, 2, 3, 4, 5, 0], [1, 0, 2, 3, 4, 5]])

    @pytest.mark.parametrize("game", [MaskGame(4, [(3, 3), (6, 6), (12, 12)]), MaskGame.placing(2, 3, ["oo"])])
    def test_the_rules_pass_their_check(self, game):
        assert check(rules_of(game)).passed

    @given(st.integers(1, (1 << 12) - 1))
    def test_texts(self, mask):
        rules = rules_of(MaskGame.placing(3, 4, ["o"]))
        assert rules.format(mask).count(".") == len(list(bits(mask)))
        assert rules.parse(rules.format(mask)) == (mask if mask.bit_count() == 1 else tuple(1 << c for c in bits(mask)))
