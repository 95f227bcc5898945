"""The table of a search: what is kept in a file and goes on from there, and the files that are refused."""

import json
import re

import pytest

import graphgame
from graphgame import Position, Ruleset, Search, parse_position
from graphgame.errors import LimitError, ParameterError, ParseError, RulesetError
from graphgame.labs.records import digest
from graphgame.labs.search import answers
from graphgame.labs.search.answers import _RECORD
from graphgame.rules.position import Component


class Rounded(Ruleset):
    """Two positions have one text."""

    def options(self, heap):
        return [heap - 0.25] if heap else []

    def format(self, heap):
        return str(round(heap))


class Tabs(Ruleset):
    """The text of a position is a row of tabs."""

    def options(self, tabs):
        return [tabs[:length] for length in range(len(tabs))]


def sealed(path, **fields):
    """The first line of a table with other fields and the digest of these."""
    return _RECORD.dumps(_RECORD.loads(path.read_text().splitlines()[0], "") | fields)


@pytest.fixture
def found(tmp_path):
    """A search that is done, and its table."""
    search = Search(parse_position("cram(3x5)"))
    _ = search.grundy
    search.write_table(tmp_path / "table.txt")
    return search, tmp_path / "table.txt"


class TestKept:
    def test_round_trip(self, found):
        first, path = found
        second = Search(parse_position("cram(3x5)"))
        second.read_table(path)
        assert (second.grundy, second.visited, second.kept) == (1, 0, first.kept)

    @pytest.mark.parametrize("text", ["nogo(3x3)", "clobber(xxx/xoo/oxo)"])
    def test_what_has_no_move_is_left_out(self, text, tmp_path):
        first, second = Search(text), Search(text)
        value = first.grundy
        first.write_table(tmp_path / "table.txt")
        second.read_table(tmp_path / "table.txt")
        assert (second.grundy, second.visited) == (value, 0)

    def test_what_was_unknown_stays_so(self, tmp_path):
        search = Search(parse_position("cram(4x5)"), max_positions=100)
        with pytest.raises(LimitError):
            _ = search.grundy
        search.write_table(tmp_path / "table.txt.gz")
        afresh, again = (Search(parse_position("cram(4x5)")) for _ in range(2))
        again.read_table(tmp_path / "table.txt.gz")
        assert again.kept == 100
        assert afresh.grundy == again.grundy == 2
        assert 0 < again.visited < afresh.visited

    def test_serves_the_positions_on_the_way(self, found):
        ((whole, cells),) = found[0]._sums[0][0].boards
        rules = found[0].position.components[0].ruleset
        for mask, fact in [(mask, fact) for mask, fact in cells if fact >= 0][::7]:
            search = Search(f"cram({rules.off_board(whole, mask)}) + cram(..)")
            search.read_table(found[1])
            assert (search.grundy, search.visited) == (fact ^ 1, 1)  # the domino itself

    def test_serves_a_larger_board(self, found):
        alone, search = Search("cram(4x5)"), Search("cram(4x5)")
        search.read_table(found[1])
        assert alone.grundy == search.grundy == 2
        assert search.visited < alone.visited

    def test_serves_a_search_that_is_not_compiled(self, found, monkeypatch):
        monkeypatch.setattr(answers, "is_compiled", lambda part: False)
        search = Search("cram(3x5)")
        search.read_table(found[1])
        assert (search.grundy, search.visited) == (1, 0)

    def test_text(self, found):
        header, *lines = found[1].read_text().splitlines()
        assert json.loads(header)["boards"] == [["...../...../.....", len(lines)]]
        assert json.loads(header)["positions"] == len(lines) == found[0].kept
        assert "1\t7fff" in lines

    def test_progress(self, found):
        told = []
        found[0].write_table(found[1], progress=lambda done, kept: told.append((done, kept)))
        Search("cram(3x5)").read_table(found[1], progress=lambda done, every: told.append((done, every)))
        assert told == [(found[0].kept, found[0].kept)] * 2

    def test_a_table_of_texts_that_compiled_loops_read(self, tmp_path, monkeypatch):
        first, second = Search("sprouts(6)"), Search("sprouts(6)")
        outcome = first.outcome
        first.write_table(tmp_path / "table.txt")
        monkeypatch.setattr("graphgame.labs.bitboards.sprouts._PLAIN_BYTES", 0)
        second.read_table(tmp_path / "table.txt")
        assert (second.outcome, second.visited) == (outcome, 0)

    def test_other_games_are_kept_by_their_texts(self, tmp_path):
        search = Search("sprouts(3)")
        _ = search.grundy
        search.write_table(tmp_path / "table.txt")
        assert re.search(r"^-?\d+\t0\.0\.0", (tmp_path / "table.txt").read_text(), re.MULTILINE)


class TestRefused:
    @pytest.mark.parametrize("place", [5, 60, -200, -1])
    def test_damage(self, found, place):
        text = found[1].read_text()
        place %= len(text)
        found[1].write_text(text[:place] + ("7" if text[place] != "7" else "8") + text[place + 1 :])
        with pytest.raises(ParseError, match="table"):
            Search(parse_position("cram(3x5)")).read_table(found[1])

    @pytest.mark.parametrize("cut", [0, 10, 400])
    def test_a_part(self, found, cut):
        found[1].write_text(found[1].read_text()[:cut])
        with pytest.raises(ParseError, match="table"):
            Search(parse_position("cram(3x5)")).read_table(found[1])

    def test_a_line_that_says_nothing(self, found):
        found[1].write_text(sealed(found[1], positions=1, lines=digest([b"many\t..\n"])) + "\nmany\t..\n")
        with pytest.raises(ParseError, match=r"table\.txt:2: expected an integer and a position"):
            Search(parse_position("cram(3x5)")).read_table(found[1])

    @pytest.mark.parametrize("cells", ["0x3", "", "7g", "-3", "8000", "1" * 65])
    def test_what_are_no_cells(self, found, cells):
        line = f"1\t{cells}"
        sizes = {"boards": [["...../...../.....", 1]], "positions": 1, "lines": digest([f"{line}\n".encode()])}
        found[1].write_text(sealed(found[1], **sizes) + f"\n{line}\n")
        with pytest.raises(ParseError, match=r"expected a set of cells as a hexadecimal number, 1 to 7fff"):
            Search(parse_position("cram(3x5)")).read_table(found[1])

    def test_boards_of_a_game_that_has_none(self, tmp_path):
        path = tmp_path / "table.txt"
        Search("take{1,2}(5)").write_table(path)
        path.write_text(sealed(path, boards=[["5", 0]]) + "\n")
        with pytest.raises(RulesetError, match="not played on sets of cells"):
            Search("take{1,2}(5)").read_table(path)

    @pytest.mark.parametrize("count", [-2, 1.0, True, None, "1", 10**30])
    def test_a_count_that_is_none(self, found, count):
        found[1].write_text(sealed(found[1], positions=count) + "\n")
        with pytest.raises((ParseError, LimitError), match=r"the file is damaged|holds .* positions, more than"):
            Search(parse_position("cram(3x5)")).read_table(found[1])

    def test_another_game(self, found):
        with pytest.raises(ParseError, match="this search: game 'cram', not 'chomp'"):
            Search(parse_position("chomp(3x5)")).read_table(found[1])

    def test_other_arguments(self, tmp_path):
        Search(parse_position("take{1,2}(5)")).write_table(tmp_path / "table.txt")
        with pytest.raises(ParseError, match="this search: arguments '1,2', not '1,3'"):
            Search(parse_position("take{1,3}(5)")).read_table(tmp_path / "table.txt")

    def test_another_version(self, found, monkeypatch):
        monkeypatch.setattr(graphgame, "__version__", "999")
        with pytest.raises(ParseError, match="version"):
            Search(parse_position("cram(3x5)")).read_table(found[1])

    def test_changed_rules(self, tmp_path):
        rules = tmp_path / "rules.py"
        text = (
            "from graphgame import Ruleset\nclass Mine(Ruleset):\n    def options(self, n):\n        return range(n)\n"
        )
        rules.write_text(text)
        search = Search(parse_position(f"{rules}:Mine(4)", run_rules=True))
        assert search.grundy == 4
        search.write_table(tmp_path / "table.txt")
        Search(parse_position(f"{rules}:Mine(4)", run_rules=True)).read_table(tmp_path / "table.txt")
        rules.write_text(text.replace("range(n)", "range(n // 2)"))
        with pytest.raises(ParseError, match="digest of the rules' code"):
            Search(parse_position(f"{rules}:Mine(4)", run_rules=True)).read_table(tmp_path / "table.txt")

    def test_larger_than_is_allowed(self, found):
        with pytest.raises(LimitError, match="more than the limit of 20"):
            Search(parse_position("cram(3x5)"), max_positions=20).read_table(found[1])

    def test_texts_that_are_not_read_back(self, tmp_path):
        search = Search(Position([Component("Rounded", Rounded(), 2.0)]))
        assert search.grundy == 0
        with pytest.raises(RulesetError, match="has the text '2', which does not give this position when it is read"):
            search.write_table(tmp_path / "table.txt")
        assert list(tmp_path.iterdir()) == []

    def test_texts_that_cannot_be_printed(self, tmp_path):
        search = Search(Position([Component("Tabs", Tabs(), "\t\t")]))
        assert search.grundy == 2
        with pytest.raises(RulesetError, match="in which a character cannot be printed"):
            search.write_table(tmp_path / "table.txt")
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("text", ["", "cram(2x2) + nim(3)"])
    def test_one_game_at_a_time(self, text, tmp_path):
        position = parse_position(text) if text else Position([])
        with pytest.raises(ParameterError, match="of one game"):
            Search(position).write_table(tmp_path / "table.txt")

    def test_graph_files_may_change(self, tmp_path):
        (tmp_path / "graph.txt").write_text("1 2\n2 3\n")
        for text in (f"{tmp_path}/graph.txt@1", f"node-kayles(file:{tmp_path}/graph.txt)"):
            search = Search(parse_position(text))
            assert search.outcome == ("N" if "kayles" in text else "P")
            with pytest.raises(ParameterError, match="may change"):
                search.write_table(tmp_path / "table.txt")
