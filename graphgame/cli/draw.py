"""``graphgame draw``: draw a picture of a game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphgame.cli import common
from graphgame.cli.common import Game, takes_game
from graphgame.cli.errors import UsageError
from graphgame.cli.language import examples
from graphgame.drawing.options import LAYOUTS, LEGENDS
from graphgame.errors import Message, either, joined, plural
from graphgame.io.files import is_there, plain_suffix
from graphgame.registry import offers, registered
from graphgame.text.languages import translate

if TYPE_CHECKING:
    from graphgame.graph.gamegraph import GameGraph
    from graphgame.rules.position import Position
    from graphgame.solution.solve import Solution

_LAYOUT_NOTES = {
    "board": Message(
        "positions are numbers, so each is drawn as a cell of a board; if there are few, --layout dot draws their names"
    ),
    "layers": Message("the graph is drawn in layers, with only some moves, winning moves first, if there are many"),
    "overview": Message("the graph is drawn as an overview of its levels"),
}
"""Layout -> the note that is printed if this layout was chosen automatically."""

_A_PART = Message("--around POSITION draws a part of the graph")
_A_PAGE = Message("-o FILE.html writes a page to explore")
_TOO_SMALL = Message(
    "names are {share} of their usual size, too small to be read: leave out {options}, or draw a part with --around "
    "POSITION"
)
_OPTIONS_OF_PARTS = ("around", "reachable_from", "only", "merge")
_MOST_EDGES_REDUCED = 200_000
_MOST_ON_PAGE, _MOST_MOVES_ON_PAGE = 20_000, 500_000  # the limits of the lab ``web``: a note proposes no larger page
_LARGEST_SHARE_WORTH_MERGING = 0.8

_VERTEX_BYTES, _EDGE_BYTES, _LARGE_DOT = 100, 28, 2 * 10**7
"""In bytes: the usual length of a vertex and of an edge in DOT, and the least length of a text that gets a note."""

_EXAMPLES = examples(
    ("graphgame draw game.txt -o game.svg", ""),
    ("graphgame draw game.txt -o game.png --left-to-right --dpi 200", ""),
    ("graphgame draw large.txt -o large.svg", "of any size: as a board, layers or an overview"),
    ("graphgame draw large.txt -o part.pdf --around 17 --steps 2", ""),
    ("graphgame draw large.txt -o merged.svg --merge", "equal positions as one"),
    ("graphgame draw game.edges -o from_a.svg --reachable-from a --only P", ""),
    ("graphgame draw game.txt -o game.tex", "TikZ, for a document in LaTeX"),
    ("graphgame draw game.txt | dot -Tsvg", "DOT on standard output"),
    ('graphgame draw game.txt -o slide.svg --ratio 16:9 --title "Chips"', ""),
    ("graphgame draw cycle.edges --plain -o cycle.svg", "without values"),
    ("graphgame draw cycle.edges --loopy -o cycle.svg", "shows draws, too; as .html, a page to play on"),
    ('graphgame draw "wythoff(0..2000, 0..2000)" -o w.png', "a heat map"),
    ('graphgame draw "nim(3,4)" --product -o nim.svg', "the sum itself"),
    ('graphgame draw "kayles(5)" --misere --genus -o kayles.svg', ""),
    ('graphgame draw "chomp(2x3)" --pictures -o a.svg', "each position as its board"),
    ('graphgame draw "nim(3,4,5)" -o nim.html', "a page to explore and to play"),
    ("graphgame draw cram.json -o cram.html", "a page that plays the winner; graphgame search wrote cram.json"),
)


@click.command("draw", epilog=_EXAMPLES)
@common.source_argument
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=click.Path(allow_dash=True),
    default="-",
    help="A .svg, .png, .pdf, .dot, .gv or .tex (TikZ) file, or an .html page to play; by default DOT on standard "
    "output.",
)
@common.shared_options("format", "max_bytes", "tokens", "misere", "loopy")
@click.option("--plain", is_flag=True, help="Draw the graph without solving it; the graph may have a cycle.")
@click.option(
    "--reachable-from",
    multiple=True,
    metavar="POSITIONS",
    help="Draw only the positions that play can reach from these positions.",
)
@click.option(
    "--around", multiple=True, metavar="POSITIONS", help="Draw only positions within a few moves of these positions."
)
@click.option(
    "--steps",
    type=common.AnyInteger(),
    metavar="N",
    help="With --around: the largest distance in moves, forwards or backwards (default: 2).",
)
@click.option("--only", type=click.Choice(["P", "N", "D"]), help="Draw only positions with this outcome.")
@click.option(
    "--layout",
    type=click.Choice(LAYOUTS),
    help="Layout of an image; by default a layout that can be read. dot: by Graphviz, for some dozen "
    "positions; only it shows --genus and --pictures. board: a cell for each position of two or "
    "three numbers. layers: thousands of positions, level by level. overview: the number of "
    "positions in each level, for a graph of any size.",
)
@click.option("--merge", is_flag=True, help="Draw positions with equal options as one vertex, with their count.")
@click.option("--left-to-right", is_flag=True, help="Let play go from left to right, not from top to bottom.")
@click.option("--no-values", is_flag=True, help="Leave out the values.")
@click.option("--genus", is_flag=True, help="With --misere: show the genera in place of the values.")
@common.shared_options("max_forms")
@click.option("--no-names", is_flag=True, help="Leave out the positions' names.")
@click.option("--no-legend", is_flag=True, help="Leave out the legend.")
@click.option(
    "--legend",
    type=click.Choice(LEGENDS),
    help="Put the legend below or right of the graph (in DOT, right of the title); by default where there is room.",
)
@click.option(
    "--ratio",
    metavar="W:H",
    help="Width and height of the page, such as 16:9 or 4:3; a small graph is enlarged, up to 2.5 times.",
)
@click.option(
    "--pictures", is_flag=True, help="Draw each position as its rules picture it: a heap, a board, coins, ..."
)
@click.option("--title", metavar="TEXT", help="Title of the picture; by default the position or the file's name.")
@click.option("--caption", metavar="TEXT", help="Text below the title; by default the winner, or a count of positions.")
@common.shared_options("theme")
@click.option(
    "--colors",
    metavar="P,N",
    help="Colours of P- and N-positions, such as '#56b4e9,orange'; a third colour is for draws.",
)
@click.option("--dpi", type=common.AnyInteger(), metavar="N", help="Dots per inch of a PNG (default: 144).")
@click.option(
    "--timeout",
    type=common.SECONDS,
    metavar="SECONDS",
    help="Stop a layout by Graphviz after this many seconds (default: 60).",
)
@click.option(
    "--force", is_flag=True, help="Lay out a graph of any size by Graphviz; no time limit unless --timeout is given."
)
@common.shared_options("product", "product_limit", "max_positions", "engine")
@takes_game
def command(game: Game, output: str, plain: bool, **options: Any) -> None:  # noqa: ANN401
    """Draw the game in SOURCE, a graph file or a position such as "nim(3,4)", coloured by outcome.

    Each vertex has its value, and winning moves stand out.
    """
    from graphgame.drawing.picture import pictures_of
    from graphgame.io.other_formats import CERTIFICATE, file_kind_at
    from graphgame.rules.notation import is_notation

    if plain and (game.tokens or game.misere or game.loopy or options["only"]):
        raise UsageError("--plain draws without solving: leave out --tokens, --misere, --loopy and --only")
    if options["genus"] and not game.misere:
        raise UsageError("--genus is about misère play: give --misere too")
    if options["steps"] is not None and not options["around"]:
        raise UsageError("--steps is the distance for --around: give --around POSITIONS")
    if options["around"] and options["reachable_from"]:
        raise UsageError("choose one of --around and --reachable-from")
    if options["no_legend"] and options["legend"]:
        raise UsageError("choose one of --legend and --no-legend")
    if game.format_ is None and is_there(game.source) and file_kind_at(game.source) is CERTIFICATE:
        registered("page of a certificate")(game, output, plain, options)
        return
    if game.format_ is None and common.has_ranges(game.source) and is_notation(game.source):
        registered("board of a table")(game, output, {**options, "plain": plain})
        return
    pictures = None
    if options.pop("pictures"):
        if game.position is None:
            raise UsageError(
                "--pictures draws positions by the rules of a game: a graph file has no rules, only names of positions"
            )
        pictures = pictures_of(game.position)
    max_forms = options.pop("max_forms")
    limit = {} if max_forms is None else {"max_forms": max_forms}
    genus = registered("genus table")(game.solution().graph, **limit) if options.pop("genus") else None
    chosen = picture_options_of(game.graph, {**options, "pictures": pictures, "genus": genus}, game.position)
    if is_page(output):
        _draw_page(game, output, plain, chosen)
    else:
        write_picture(game.graph if plain else game.solution(), output, **{**source_options(game, output), **chosen})


def write_picture(drawn: GameGraph | Solution, path: str, **options: Any) -> None:  # noqa: ANN401
    """Draw a picture or a page to a file, or print DOT if ``path`` is -; print notes on standard error."""
    from graphgame.drawing import write_dot
    from graphgame.drawing.image import READABLE, draw_as
    from graphgame.solution.solve import Solution

    graph: Any = drawn.graph if isinstance(drawn, Solution) else drawn
    if isinstance(drawn, Solution) and is_page(path):
        registered("page")(drawn, path, **options)
        common.tell_of(path)
        return
    if path == "-" or plain_suffix(path) in (".dot", ".gv"):
        _tell_size(graph, options)
    if path == "-":
        write_dot(drawn, path, **options)
        if sys.stdout.isatty():
            common.tell(Message("this is DOT, text for Graphviz: -o FILE.svg draws a picture"))
    else:
        layout, scale = draw_as(drawn, path, **options)
        common.tell_of(path)
        if layout in _LAYOUT_NOTES and not options.get("layout"):
            others = [] if options.get("around") else [_A_PART]
            fits_on_page = len(graph) <= _MOST_ON_PAGE and graph.number_of_edges() <= _MOST_MOVES_ON_PAGE
            others += [_A_PAGE] if fits_on_page and isinstance(drawn, Solution) else []
            notes = [_LAYOUT_NOTES[layout], *_merging_notes(graph, layout, options), *others]
            common.tell(joined(notes))
        elif scale < READABLE:
            # Graphviz keeps its layout, in spite of small names, only because of one of these options.
            option = next((name for name in ("layout", "pictures", "genus") if options.get(name)), "force")
            ways = either([f"--{option}", *["--ratio"] * ("ratio" in options)])
            common.tell(Message(_TOO_SMALL, f"{scale:.0%}", ways))
        if layout != "dot" and (options.get("pictures") or options.get("genus")):
            common.tell(Message("only --layout dot shows --genus and --pictures"))


def _merging_notes(graph: GameGraph, layout: str, options: dict[str, Any]) -> list[str]:
    """Return [a note that proposes ``--merge``, which draws positions with equal options as one vertex], or [].

    Return [] for a board, and if the options choose a part of the graph or merge. In a graph of at most 200,000 moves,
    also return [] if merging would leave over 80 % of the positions.
    """
    if layout == "board" or any(options.get(name) for name in _OPTIONS_OF_PARTS):
        return []
    if graph.number_of_edges() > _MOST_EDGES_REDUCED:
        return [Message("--merge draws equal positions as one")]
    if "reduction" not in offers("job"):
        return []
    left = len(registered("reduction")(graph).graph)
    if left > _LARGEST_SHARE_WORTH_MERGING * len(graph):
        return []
    return [Message("--merge would leave {left} of {all} positions", f"{left:,}", f"{len(graph):,}")]


def _tell_size(graph: GameGraph, options: dict[str, Any]) -> None:
    """Print the size of the DOT text on standard error if it is large and the options choose no part of the graph."""
    moves = graph.number_of_edges()
    size = _VERTEX_BYTES * len(graph) + _EDGE_BYTES * moves
    if size >= _LARGE_DOT and not any(options.get(name) for name in _OPTIONS_OF_PARTS):
        common.tell(
            Message(
                "the DOT text has {moves}, about {size} MB: -o FILE.svg draws a picture instead",
                plural(moves, "move"),
                f"{size / 1e6:,.0f}",
            )
        )


def is_page(path: str) -> bool:
    """Tell whether a file's name ends in ``.html`` or ``.htm``, perhaps followed by a suffix such as ``.gz``."""
    return plain_suffix(path) in (".html", ".htm")


def _draw_page(game: Game, path: str, plain: bool, options: dict[str, Any]) -> None:
    """Write a page; raise a UsageError for ``--plain``, or if ``options`` has an option that only pictures have."""
    from graphgame.drawing.options import PictureOptions

    of_page: dict[str, Any] = {name: options.pop(name) for name in ("title", "reachable_from") if name in options}
    if plain or PictureOptions(**options) != PictureOptions():
        raise UsageError(
            "a page shows the whole solved game: of the options for pictures, only --title and --reachable-from apply "
            "to it"
        )
    write_picture(game.solution(), path, **{**source_options(game, path), **of_page})


def source_options(game: Game, path: str) -> dict[str, Any]:
    """Return {"title": title}; for a page also "position", which is None for a graph file or with ``--product``."""
    name = game.source if game.position is not None else Path(game.source).name
    title = translate("standard input") if game.source == "-" else name
    if not is_page(path):
        return {"title": title}
    return {"title": title, "position": None if game.product else game.position}


def picture_options_of(graph: GameGraph, typed: dict[str, Any], source: Position | None = None) -> dict[str, object]:
    """Turn options of the command line into keyword options of a picture; leave out options that are None.

    ``source`` is the position whose graph this is, if there is one. Do not use ``typed`` afterwards.
    """
    options: dict[str, object] = {name: not typed.pop(f"no_{name}") for name in ("values", "names")}
    if typed.pop("no_legend"):
        options["legend"] = False
    for name in ("reachable_from", "around"):
        options[name] = common.find_tokens(graph, typed.pop(name), source)
    if typed["colors"] is not None:
        options["colors"] = [color.strip() for color in typed.pop("colors").split(",")]
    return options | {name: value for name, value in typed.items() if value is not None}
