"""The page in a browser: games that a move can end at once, by their rules as stated, and others by brute force."""

import re
from itertools import combinations_with_replacement, product
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner

from graphgame import GameGraph, Search, parse_position, solve, write_page
from graphgame.cli import main
from graphgame.errors import RulesetError
from graphgame.labs.web.page.document import page_data
from graphgame.rules.position import Component, Position
from graphgame.rules.ruleset import Ruleset
from graphgame.solution.results import play_name
from tests import brute
from tests.page import needs_chromium, rules
from tests.site import serving

SHEETS = [(high, wide) for wide in range(1, 7) for high in range(1, wide + 1)]
ROWS = ["".join(row) for length in range(1, 8) for row in product(".X", repeat=length)]
MOST = 9  # of counters that a move takes from a heap of Nim here
KNOWN = {}

ASK = """([sums, play]) => sums.map(labels => {
    // What the page's engine says of sums of positions, each position named by its label.
    const sum = labels.map(label => Game.labels.indexOf(label));
    Game.prepare(sum);
    const told = list => list.map(({ component, to }) => [component, Game.labels[to]]);
    const { outcome, moves } = Game.judge(sum, play);
    const { aim, moves: good, losing } = Game.goodMoves(sum, play);
    const offered = told(Game.movesOf(sum));
    return { outcome, moves, offered, good: aim === 'P' ? told(good) : [], losing: told(losing) };
})"""

PLAY = """([games, play]) => {
    // Random games of two people in the Play tab; what the screen shows at each turn.
    State.set({ tab: 'play', play });
    Match.configure({ opponent: 'person' });
    return Array.from({ length: games }, () => {
        Match.restart();
        const turns = [];
        for (;;) {
            const buttons = [...document.querySelectorAll('[data-move]')];
            const chosen = Math.floor(Math.random() * buttons.length);
            turns.push({
                components: Match.components().map(v => Game.labels[v]),
                offered: buttons.map(button => {
                    const [component, to] = button.dataset.move.split(' ').map(Number);
                    return [component, Game.labels[to]];
                }),
                chosen,
                status: document.querySelector('.status').firstChild.textContent,
                reason: document.querySelector('[data-reason]')?.textContent ?? null,
            });
            if (!buttons.length) return turns;
            buttons[chosen].click();
        }
    });
}"""


def parsed(label, name):
    """Return the parts that a label of the page names, as the oracle writes them; by default of the game ``name``."""
    found = []
    for part in label.split(" + "):
        game, bound, position = re.fullmatch(r"(?:([a-z]+)(?:\{(\d+)\})?\()?([^()]*)\)?", part).groups()
        game, _, most = (game or name).partition(" ")
        bound = int(bound or most or MOST)
        if game == "cutting":
            found += [(game, tuple(sorted(map(int, side.split("x"))))) for side in position.split("|")]
        elif game == "whiteboard":
            goal, _, last = position.partition(":")
            found.append((game, (int(goal), bound, int(last or 0))))
        elif game == "treblecross":
            row = "." * int(position) if position.isdigit() else position
            found.append((game, min(row, row[::-1])))
        else:
            found.append(("bash", (int(position), bound)))
    return sorted(found)


def as_parsed(game, moves):
    """Return moves of the oracle as (component, the parts afterwards); a row and its reflection are one."""

    def one(part):
        return min(part, part[::-1]) if isinstance(part, str) else part

    return {(place, tuple(sorted((game[place][0], one(part)) for part in parts))) for place, parts, _ in moves}


def shown(moves, name):
    return {(place, tuple(parsed(label, name))) for place, label in moves}


def loses_at_once(game, move):
    """Tell whether a move loses, or lets the other player win by a move that ends play."""
    place, parts, end = move
    left = [*game[:place], *((game[place][0], part) for part in parts), *game[place + 1 :]]
    return end == "lost" or (end is None and any(reply == "won" for *_, reply in brute.stated_moves(left)))


def compare(visit, sums, name):
    """Compare what a page knows of sums, named by labels, with the rules as stated."""
    for labels, page in zip(sums, visit.page.evaluate(ASK, [sums, "normal"]), strict=True):
        game = [part for label in labels for part in parsed(label, name)]
        wins, length = brute.stated_result(game, KNOWN)
        moves = brute.stated_moves(game)
        assert (page["outcome"], page["moves"]) == ("N" if wins else "P", length), labels
        assert shown(page["offered"], name) == as_parsed(game, moves), labels
        assert shown(page["good"], name) == as_parsed(game, brute.stated_wins(game, KNOWN)), labels
        losing = [move for move in moves if loses_at_once(game, move)]
        assert shown(page["losing"], name) == as_parsed(game, losing), labels


def opened(pages, positions):
    """Open a page of all that some positions can come to, without boards and without tokens."""
    graph = parse_position(" + ".join(positions)).graph(texts=True)
    return pages.open(solve(GameGraph(graph, tokens=())))


@needs_chromium
class TestByBruteForce:
    def test_all_sheets_and_their_sums_of_two(self, pages):
        visit = opened(pages, ["cutting(6x6)", "cutting(1x1)"])
        sheets = [f"{wide}x{high}" for high, wide in SHEETS]
        compare(visit, [[sheet] for sheet in sheets], "cutting")
        compare(visit, [list(pair) for pair in combinations_with_replacement(sheets, 2)], "cutting")

    @pytest.mark.parametrize("most", range(1, 6))
    def test_all_whiteboards(self, pages, most):
        visit = opened(pages, [f"whiteboard{{{most}}}({goal})" for goal in range(1, 31)])
        boards = [f"{goal}:{last}" if last else f"{goal}" for goal in range(1, 31) for last in range(goal)]
        compare(visit, [[board] for board in boards], f"whiteboard {most}")
        compare(visit, [list(pair) for pair in combinations_with_replacement(boards[:28], 2)], f"whiteboard {most}")

    def test_all_rows_of_treblecross(self, pages):
        visit = opened(pages, [f"treblecross({length})" for length in range(1, 8)])
        rows = [min(row, row[::-1]) for row in ROWS if "XXX" not in row]
        names = [row if "X" in row else str(len(row)) for row in dict.fromkeys(rows)]
        here = set(visit.page.evaluate("Game.labels"))
        compare(visit, [[name] for name in names if name in here], "treblecross")
        few = [name for name in names if name in here and (name.isdigit() or len(name) < 5)]
        compare(visit, [list(pair) for pair in combinations_with_replacement(few, 2)], "treblecross")

    def test_sums_of_different_games(self, pages):
        visit = opened(pages, ["cutting(4x2)", "nim(3)", "whiteboard{2}(4)", "treblecross(4)"])
        names = [name for name in visit.page.evaluate("Game.labels") if " + " not in name]
        going = [name for name in names if visit.page.evaluate("name => !Game.ending(Game.labels.indexOf(name))", name)]
        compare(visit, [list(pair) for pair in combinations_with_replacement(going, 2)], None)

    @pytest.mark.parametrize("misere", [False, True])
    def test_three_heaps_of_nim(self, pages, misere):
        visit = pages.open(**rules("nim(8,8,8)"))
        heaps = [list(map(str, heaps)) for heaps in combinations_with_replacement(range(9), 3)]
        self.compare_heaps(visit, heaps, {heap: range(heap) for heap in range(9)}, misere)

    @pytest.mark.parametrize("misere", [False, True])
    @pytest.mark.parametrize("most", range(1, 6))
    def test_all_games_of_bash(self, pages, most, misere):
        visit = pages.open(**rules(f"bash{{{most}}}(30)"))
        options = {heap: range(max(heap - most, 0), heap) for heap in range(31)}
        self.compare_heaps(visit, [[str(heap)] for heap in options], options, misere)

    @staticmethod
    def compare_heaps(visit, sums, options, misere):
        result = brute.play_out(options, misere=misere)
        for labels, page in zip(sums, visit.page.evaluate(ASK, [sums, play_name(misere)]), strict=True):
            heaps = tuple(map(int, labels))
            wins, length = result(heaps)
            assert (page["outcome"], page["moves"]) == ("N" if wins else "P", length), heaps
            moves = {(place, end) for place, heap in enumerate(heaps) for end in options[heap]}
            winning = {
                (place, end) for place, end in moves if not result((*heaps[:place], end, *heaps[place + 1 :]))[0]
            }
            for told, expected in (("offered", moves), ("good", winning), ("losing", set())):
                assert {(place, int(label)) for place, label in page[told]} == expected, heaps


GAMES = {
    "cutting(2x2)": "cutting",
    "cutting(4x4)": "cutting",
    "cutting(1x2) + cutting(4x2)": "cutting",
    "cutting(3x2) + nim(2)": None,
    "whiteboard{3}(5)": "whiteboard 3",
    "whiteboard{3}(1)": "whiteboard 3",
    "treblecross(7)": "treblecross",
    "treblecross(.X.X)": "treblecross",
    "treblecross(2) + treblecross(3)": "treblecross",
    "bash{3}(9)": "bash 3",
}


@needs_chromium
@pytest.mark.parametrize("text", GAMES)
def test_random_games_offer_all_moves_and_name_who_has_won(pages, text):
    visit = pages.open(**rules(text))
    for turns in visit.page.evaluate(PLAY, [8, "normal"]):
        ends = None
        for turn, page in enumerate(turns):
            game = [part for label in page["components"] for part in parsed(label, GAMES[text])]
            moves = [] if ends else brute.stated_moves(game)
            assert shown(page["offered"], GAMES[text]) == as_parsed(game, moves), page
            if moves:
                assert page["status"] == f"Player {turn % 2 + 1} to move."
                ((place, parts),) = shown([page["offered"][page["chosen"]]], GAMES[text])
                ends = {as_parsed(game, [move]).pop(): move[2] for move in moves}[place, parts]
        mover = len(turns) % 2  # 0: who made the last move began
        winner = 1 - mover if ends == "lost" else mover
        assert turns[-1]["status"] == f"Player {winner + 1} wins!"
        assert bool(turns[-1]["reason"]) == (text != "bash{3}(9)")


@needs_chromium
@pytest.mark.parametrize("misere", [False, True])
def test_random_games_of_nim_name_who_has_won(pages, misere):
    visit = pages.open(**rules("nim(2,3,4)"))
    for turns in visit.page.evaluate(PLAY, [6, play_name(misere)]):
        winner = (len(turns) + misere) % 2 + 1
        assert turns[-1]["status"] == f"Player {winner} wins!"


@needs_chromium
class TestOnTheScreen:
    def test_a_player_who_makes_a_1x1_has_won_the_sum(self, pages):
        visit = pages.open(**rules("cutting(1x2) + cutting(4x2)"))
        assert visit.text(".verdict") == "First player wins in 1 move"
        visit.click("#tab-play")
        visit.page.locator("[data-line^='0']").first.dispatch_event("click")
        assert visit.text(".status").split("\n") == [
            "You win!",
            "Play ended with 1x1|1x1: whoever first makes a 1x1 wins.",
        ]
        assert visit.page.locator("[data-move], [data-line], .cell.free").count() == 0
        assert visit.components() == ["1x1|1x1", "4x2"]
        visit.click("[data-key=undo]")
        assert visit.components() == ["2x1", "4x2"]

    @pytest.mark.parametrize(
        ("skill", "move"),
        [("0", "2x1 → 1x1|1x1"), *((skill, "4x2 → 2x1 + 3x2") for skill in ("5", "20", "50", "100"))],
    )
    def test_the_computer_wins_at_once_unless_it_errs(self, pages, skill, move):
        visit = pages.open(**rules("cutting(4x2) + cutting(1x2)"), hash_="#tab=play")
        visit.page.evaluate("Math.random = () => 0")  # it errs where it may, by the first move of all
        visit.select("err", skill)
        visit.select("starter", "computer")
        visit.wait_for_move(1)
        assert visit.texts(".history li") == [f"Computer {move}"]
        if skill != "0":
            visit.click("[data-move]:has-text('1x1')")
        assert visit.text(".status").startswith("The computer wins." if skill == "0" else "You win!")

    def test_the_computer_wins_after_the_first_cut_of_a_2x2(self, pages):
        visit = pages.open(**rules("cutting(2x2)"), hash_="#tab=play")
        visit.click("[data-move]")
        visit.wait_for_move(2)
        assert visit.text(".status").startswith("The computer wins.")
        assert visit.texts(".history li") == ["You 2x2 → 2x1 + 2x1", "Computer 2x1 → 1x1|1x1"]
        assert "The second player could win from the start" in visit.text("[data-aftermath]")

    def test_the_computer_delays_a_loss(self, pages):
        visit = pages.open(**rules("cutting(4x4)"))
        visit.click("#tab-play")
        visit.click("[data-key=hints]")
        for turn in (2, 4):
            visit.click(".move.winning")
            visit.wait_for_move(turn)
        visit.click(".move.winning")
        assert visit.text(".status").startswith("You win!")
        assert len(visit.texts(".history li")) == 5

    def test_the_computer_delays_a_loss_in_a_sum_too_large_to_play_out(self, pages):
        visit = pages.open(**rules("cutting(10x10) + cutting(10x10)"))
        assert visit.text(".verdict") == "Second player wins"
        chosen = "Array.from({ length: 20 }, () => Game.bestMove(Game.tokens, 'normal').to)"
        assert not visit.page.evaluate(f"{chosen}.some(Game.losesAtOnce)")

    def test_moves_that_lose_at_once_are_offered_and_marked(self, pages):
        visit = pages.open(**rules("cutting(4x2)"))
        visit.click("#tab-play")
        assert visit.page.locator(".losing, .winning, [data-good]").count() == 0
        visit.click("[data-key=hints]")
        assert visit.texts(".move.losing .label") == ["2x1 + 3x2", "4x1 + 4x1"]
        assert visit.labels(".move.losing .star") == ["move that loses at once"] * 2
        assert visit.texts(".move.winning .label") == ["2x2 + 2x2"]
        assert sorted(visit.page.locator("[data-good]").all_text_contents()) == ["!", "!", "!", "★"]
        visit.click("#tab-explore")
        assert visit.texts("[data-list=options] .losing .value") == ["loony", "loony"]
        assert visit.page.locator(".edge.loses").count() > 0

    def test_all_moves_beside_a_loony_position_lose_at_once(self, pages):
        visit = pages.open(**rules("cutting(1x2) + cutting(4x2)"))
        visit.click("#tab-play")
        visit.click("[data-key=hints]")
        assert visit.texts(".move.winning .label") == ["1x1|1x1"]
        assert len(visit.texts(".move.losing .label")) == 3
        visit.click(".move.losing")
        visit.wait_for_move(2)
        assert "2x1 → 1x1|1x1 would have kept the win, because this move ends play at once, and wins." in visit.text(
            "[data-aftermath]"
        )

    def test_a_whiteboard_player_must_write(self, pages):
        visit = pages.open(**rules("whiteboard{3}(1)"))
        assert visit.text(".verdict") == "Second player wins in 1 move"
        visit.click("#tab-play")
        visit.click("[data-spot='0 0']")
        assert visit.text(".status").split("\n") == [
            "The computer wins.",
            "Play ended with 1:1: whoever writes N or more loses at once.",
        ]

    def test_the_rules_above_the_board_are_those_of_the_game(self, pages):
        for text, ending in [
            ("cutting(4x2)", "Whoever first makes a 1x1 wins."),
            ("whiteboard{3}(5)", "Whoever writes N or more loses at once."),
            ("treblecross(5)", "Whoever makes three in a row wins at once."),
        ]:
            visit = pages.open(**rules(text), hash_="#tab=play")
            assert visit.text(".rule").endswith(ending)
            assert "last move" not in visit.text(".rule")
        visit = pages.open(**rules("treblecross(2)"), hash_="#tab=play")
        assert visit.text(".rule").endswith("wins at once. Where nobody can move any more, whoever is to move loses.")
        visit.click("[data-move]")
        visit.wait_for_move(2)
        assert visit.text(".status").split("\n")[1] == "No move is left: whoever is to move has lost."

    def test_misere_play_is_refused_with_the_reason(self, pages):
        visit = pages.open(**rules("treblecross(.X.X)"), hash_="#rules=misere")
        assert visit.page.locator("[data-key=rules]").count() == 0
        assert "the rules say who wins as soon as a certain position is reached" in visit.text("#note")
        assert visit.text(".verdict") == "First player wins in 1 move"

    def test_a_position_in_which_play_is_over(self, pages):
        visit = pages.open(**rules("cutting(1x1|3x1) + nim(3)"))
        assert visit.text(".verdict") == "Second player has won: play is over"
        assert visit.text(".outcome").endswith("Play is over: the player who just moved has won.")
        visit.click("#tab-play")
        assert visit.texts("[data-move]") == []

    def test_the_signs_tell_of_ends(self, pages):
        visit = pages.open(**rules("treblecross(4)"))
        visit.click("[data-key=legend] summary")
        assert {"position that ends play", "move that loses at once"} <= set(visit.texts(".legend li"))
        over = visit.page.evaluate("Game.labels.filter((_, v) => Game.ending(v)).length")
        assert visit.page.locator(".node .end").count() == over == 2
        assert visit.texts("[data-value=sunny], [data-value=loony]") == ["sunny2", "loony4"]

    def test_the_keyboard_plays(self, pages):
        visit = pages.open(**rules("treblecross(.X.X)"), hash_="#tab=play")
        visit.page.locator("[data-key=cell-0-2]").focus()
        visit.key("Enter")
        assert visit.text(".status").startswith("You win!")

    def test_a_lesson_solves_it_to_the_end(self, pages):
        visit = pages.open(**rules("cutting(3x2)"), hash_="#tab=learn")
        seen = []
        while not visit.page.locator("[data-step='One step forward']").is_disabled():
            visit.click("[data-step='One step forward']")
            seen.append(visit.text("[data-labelled] h3")[1:].strip())
        assert {"the value of 1x1|1x1 is sunny", "the value of 2x1 is loony", "the value of 3x2 is 0"} <= set(seen)
        assert visit.text("[data-labelled] .strip figcaption") == "mex {} = 0"

    def test_a_puzzle_asks_for_the_winning_cut(self, pages):
        visit = pages.open(**rules("cutting(4x2)"), hash_="#tab=learn&lesson=puzzle&seed=2")
        components = visit.texts("[data-puzzle] h3")
        answer = visit.page.evaluate("Game.goodMoves(Puzzle.components(), 'normal').moves")
        assert components
        assert len(answer) == 1
        visit.click(f"[data-try='{answer[0]['component']} {answer[0]['to']}']")
        assert visit.text(".status") == "Right: that is the only winning move."

    def test_all_that_is_new_is_said_in_chinese_too(self, pages):
        visit = pages.open(**rules("cutting(1x2) + cutting(4x2)"), hash_="#tab=play&language=zh&hints=1")
        assert visit.labels(".move.losing .star") == ["立即落败的走法"] * 3
        visit.page.locator("[data-line^='0']").first.dispatch_event("click")
        assert re.fullmatch(r"你赢了！\n对局终于 1x1\|1x1：.*1x1.*。", visit.text(".status"))
        assert "反常" in visit.text("#note")

    def test_paper_shows_what_loses_but_not_during_a_match(self, pages):
        visit = pages.open(**rules("cutting(4x2)"))
        visit.page.emulate_media(media="print")
        assert visit.page.locator("[data-list=options] .losing").first.is_visible()
        visit.page.evaluate("State.set({ tab: 'play' })")
        assert visit.page.locator(".losing, .winning").count() == 0
        assert not visit.page.locator("[data-why]").is_visible()


@needs_chromium
def test_the_site_plays_them_too(browser, tmp_path):
    with serving(tmp_path) as site:
        page = browser.new_page()
        for text, verdict in [
            ("treblecross(.X.X)", "First player wins in 1 move"),
            ("cutting(1x2)+cutting(4x2)", "First player wins in 1 move"),
            ("whiteboard{3}(1)", "Second player wins in 1 move"),
        ]:
            page.goto(f"{site.address}?{urlencode({'position': text})}#rules=misere")
            assert page.locator(".verdict").inner_text() == verdict
        page.close()


class Overlooked(Ruleset):
    """Take one counter, of 3 or less also two; from a heap of 4 one may win at once instead."""

    def options(self, position):
        return ["won", 3] if position == 4 else range(max(position - 1 - (position < 4), 0), position)

    def decided(self, position):
        return "P" if position == "won" else None


def counters(heap):
    """The same as stated."""
    ends = [0, 3] if heap == 4 else range(max(heap - 1 - (heap < 4), 0), heap)
    return [((end,), "won" if heap == 4 and not end else None) for end in ends]


@needs_chromium
def test_how_long_play_lasts_after_a_player_overlooked_a_win(pages, monkeypatch):
    monkeypatch.setitem(brute.STATED, "overlooked", counters)
    game, known = Position([Component("overlooked", Overlooked(), 5)] * 2), {}
    visit = pages.open(solve(game.graph(texts=True)), position=game)
    for heaps in combinations_with_replacement(range(1, 6), 2):
        told = visit.page.evaluate(
            "names => Game.judge(names.map(name => Game.labels.indexOf(name)), 'normal')", list(map(str, heaps))
        )
        wins, length = brute.stated_result([("overlooked", heap) for heap in heaps], known)
        assert (told["outcome"], told["moves"]) == ("N" if wins else "P", length), heaps


def test_a_large_sum_keeps_its_length():
    solution = solve("cutting(6x6) + cutting(6x6)")
    product = page_data(solution)["product"]
    start = [solution.graph.number_of(token) for token in solution.tokens]
    assert product["plays"]["normal"]["remoteness"][product["sums"].index(start)] == solution.sum_remoteness()


def test_a_part_of_a_graph_keeps_who_has_won():
    graph = GameGraph(parse_position("cutting(4x2)").graph(texts=True), tokens=())
    data = page_data(solve(graph), reachable_from=["2x2"])
    assert {data["labels"][v]: letter for v, letter in data["decided"].items()} == {"1x1|1x1": "P"}


def test_a_certificate_of_such_a_game_has_no_page(tmp_path):
    proof = Search("cutting(4x4)").certificate()
    with pytest.raises(RulesetError, match="run graphgame draw with the position in place of the certificate, or grap"):
        write_page(proof, tmp_path / "page.html")


def test_misere_play_is_not_drawn(tmp_path):
    path = tmp_path / "page.html"
    result = CliRunner().invoke(main, ["draw", "cutting(4x2)", "--misere", "-o", str(path)])
    assert (result.exit_code, path.exists()) == (2, False)
    assert "misère play has no meaning in this game" in result.output
