"""Write a page: one file with markup, styles, scripts and the game's data. Its policy forbids loading anything else.

Most data of a game are lists indexed by vertex number, ready for JSON.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Hashable, Iterable
from contextlib import suppress
from functools import cache, reduce
from html import escape
from operator import xor
from typing import Any, NamedTuple, cast

import numpy as np

from graphgame.compiled.engine import Engine
from graphgame.drawing.options import PictureOptions
from graphgame.drawing.picture import KEEP_A_PART, PICTURE_A_PART, select
from graphgame.drawing.style import THEMES, Theme, ink_on
from graphgame.errors import LimitError, RulesetError, checks_parameters
from graphgame.graph import SUNNY
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.io.files import PathLike, open_atomic
from graphgame.labs.verification.position_certificates import ListedValues, PositionCertificate, game_text
from graphgame.labs.web.page.boards import board_box, boards, box_size, graphviz_layout
from graphgame.labs.web.page.bundle import bundle, static_file, texts
from graphgame.rules.component_graphs import with_texts
from graphgame.rules.notation import parse_position
from graphgame.rules.position import Component, Position
from graphgame.rules.ruleset import Sum
from graphgame.rules.sources import named_game
from graphgame.solution.results import Decisive, Loopy, VertexValues, play_name
from graphgame.solution.solve import LoopySolution, Solution, solution_of, solve
from graphgame.solution.sums import Product
from graphgame.text.languages import LANGUAGES, current_language, lookup, texts_of
from graphgame.text.sentences import SENTENCES
from graphgame.text.text import printable, printable_lines

MOST_POSITIONS = 20_000
"""The maximum number of vertices of a page, and of positions in the explicit product of its tokens."""

MOST_MOVES = 500_000
"""The maximum number of edges of a page."""

_PLAYS = (False, True)


def page_data(
    solution: Solution, *, reachable_from: Iterable[Hashable] = (), position: Position | None = None
) -> dict[str, Any]:
    """Return the data of a game for a page, as a dictionary for JSON. The parameters are those of :func:`write_page`.

    Raises
    ------
    LimitError
        The game is too large for a page, or it is a sum that is too large for misère play on a page.
    UnknownPositionError
        A position of ``reachable_from`` is not a vertex.
    """
    starts = list(reachable_from)
    wanted = PictureOptions(reachable_from=[*starts, *(solution.tokens or ())] if starts else ())
    mask = select(solution.graph, None, wanted)
    numbers = np.arange(len(solution.graph)) if mask is None else np.flatnonzero(mask)
    graph = _part(solution, numbers)
    check_page_size(graph)
    vertices = [] if position is None else list(position.graph().labels.take(numbers))
    shown = shown_data(solution, graph, numbers, vertices, position)
    tokens = [graph.number_of(token) for token in graph.tokens or ()]
    product = _product(graph, tokens, solution.engine)
    if solution.misere and product is None and not shown["nim"] and (len(tokens) > 1 or shown["sums"]):
        raise LimitError(
            "this sum has more than {most:,} positions, the most that a page can solve under misère play, and no "
            "theorem gives the winner: choose a smaller sum, or normal play",
            MOST_POSITIONS,
        )
    return {
        **shown,
        "plays": {play_name(misere): _plays(graph, misere, solution) for misere in _PLAYS},
        "product": product,
    }


def shown_data(
    solution: Solution, graph: GameGraph, numbers: np.ndarray, vertices: list[Hashable], position: Position | None
) -> dict[str, Any]:
    """Return the data of a page about ``graph``, a part of a solved game, except ``plays`` (values) and ``product``.

    ``numbers`` has, for each vertex of ``graph``, its number in the solution's graph. ``vertices`` has the position of
    each vertex of ``graph``; it is empty if ``position`` is None.
    """
    attributes = solution.graph.attributes
    labels = [
        _label(attributes.of_node(v, False).get("label", position))
        for v, position in zip(numbers.tolist(), graph.labels, strict=True)
    ]
    sums = [] if graph.sums is None else np.flatnonzero(graph.sums).tolist()
    shown = boards(position, vertices)
    board_width, board_height = board_box(shown["surfaces"], len(graph))
    # A box must have room for its label and its value. Values that are not numbers may be longer than labels.
    long_values = (value for value in solution.counts().histogram if isinstance(value, (Loopy, Decisive)))
    box_texts = [*labels, *(f"{value.outcome} {value}" for value in long_values)]
    word_width, words = box_size(box_texts, with_sums=bool(sums), with_boards=board_height > 0)
    width, height = max(board_width, word_width), words + board_height
    tokens = None if graph.tokens is None else [graph.number_of(token) for token in graph.tokens]
    solved = solve(graph, engine=solution.engine, loopy=True)
    return {
        "play": play_name(solution.misere),
        "labels": labels,
        "pointers": graph.option_rows.pointers.tolist(),
        "options": graph.option_rows.indices.tolist(),
        "sums": sums,
        "decided": _decided(graph, position),
        "tokens": tokens,
        **shown,
        "nim": position is not None and bool(position.theorem.heaps),
        "words": words,
        "width": width,
        "height": height,
        "longest": _longest(solved),
        "layout": graphviz_layout(solved, width, height),
    }


def _longest(solution: Solution) -> list[int | None]:
    """Return the length of the longest play from each vertex, -1 if play need not end.

    If the solution raises LimitError because a sum is too large, every entry of the list is None.
    """
    with suppress(LimitError):
        return cast("list[int | None]", solution.birthday.array.tolist())
    return [None] * len(solution.graph)


def _label(position: object) -> str:
    """Return the text of a position, with escapes for characters that are not printable; line breaks stay.

    An empty text becomes ``""``.
    """
    return printable_lines(str(position) or '""')


def _part(solution: Solution, numbers: np.ndarray) -> GameGraph:
    """Return the part of a solution's graph with the vertices ``numbers``, which include all their options."""
    graph = solution.graph
    if len(numbers) == len(graph):
        return GameGraph(graph, tokens=solution.tokens)
    number = np.full(len(graph), -1)
    number[numbers] = np.arange(len(numbers))
    source, target = graph.option_rows.gather(numbers)
    return GameGraph.from_arrays(
        source,
        number[target],
        graph.labels.take(numbers),
        sums=None if graph.sums is None else graph.sums[numbers],
        decided=None if graph.decided is None else graph.decided[numbers],
        tokens=solution.tokens,
    )


def check_page_size(graph: GameGraph) -> None:
    """Raise LimitError if a graph is too large for a page."""
    sizes = MOST_POSITIONS, MOST_MOVES, len(graph), graph.number_of_edges()
    if len(graph) > MOST_POSITIONS or graph.number_of_edges() > MOST_MOVES:
        raise LimitError(
            "a page holds at most {most_positions:,} positions and {most_moves:,} moves, but this game has "
            "{positions:,} positions and {moves:,} moves; write the page of a part with {keep_a_part}, merge equal "
            "positions with reduce (graphgame reduce SOURCE -o OUT.html), or draw a picture of a part with "
            "{picture_a_part}",
            *sizes,
            KEEP_A_PART,
            PICTURE_A_PART,
        )


def _plays(graph: GameGraph, misere: bool, solution: Solution) -> dict[str, Any]:
    """Solve a graph under a play convention. Return the lists ``values`` and ``remoteness``, by vertex number.

    In a graph with cycles there is a third list, ``counter``; see :class:`LoopySolution`. If the graph has sum
    vertices, ``remoteness`` is None: the remoteness of a sum does not follow from its parts. Under misère play, a graph
    with sum vertices or decided positions is not solved: ``values`` and ``remoteness`` are None, without ``counter``.
    Of ``solution``, only the engine and the limit on positions are used.
    """
    if misere and (graph.sums is not None or graph.decided is not None):
        return {"values": None, "remoteness": None}
    solved = solve(graph, misere=misere, engine=solution.engine, loopy=True, product_limit=solution.product_limit)
    counter = {"counter": solved.counter.take(slice(None))} if isinstance(solved, LoopySolution) else {}
    known = _known(solved) if graph.sums is None else {"values": _values(solved.grundy), "remoteness": None}
    return {**known, **counter}


def _known(solution: Solution) -> dict[str, Any]:
    return {"values": _values(solution.grundy), "remoteness": solution.remoteness.take(slice(None))}


def _values(grundy: VertexValues[Any]) -> list[int | list[int] | str]:
    """Return the values for JSON. An infinite value inf(K) is the list of K, a decisive one is "sunny" or "loony"."""
    return [
        sorted(value.finite) if isinstance(value, Loopy) else str(value) if isinstance(value, Decisive) else value
        for value in grundy.take(slice(None))
    ]


def _decided(graph: GameGraph, position: Position | None) -> dict[int, str] | None:
    """Return a map from the number of each decided vertex to its outcome, "P" or "N".

    If no vertex is decided, return an empty map if the rules of ``position`` could decide one, otherwise None.
    """
    if graph.decided is None:
        return {} if position is not None and position.decides else None
    return {v: "P" if graph.decided[v] == SUNNY else "N" for v in np.flatnonzero(graph.decided).tolist()}


def _product(graph: GameGraph, tokens: list[int], engine: Engine) -> dict[str, Any] | None:
    """Return the sums that play can reach; None if the page does not need them, or if there are too many.

    ``sums`` has the vertex numbers of the components of each sum. ``plays`` has lists of values and remoteness for each
    play convention (only normal play if there are decided positions). A page needs sums if there are several tokens or
    sum vertices. ``engine`` is the engine that solves the graph of the sums.
    """
    product = _largest_product(graph, tokens)
    if product is None:
        return None
    sums = cast("list[tuple[Hashable, ...]]", list(product.graph.labels))
    plays = _PLAYS[: 1 if graph.decided is not None else 2]
    solutions = {misere: solve(product.graph, misere=misere, engine=engine, loopy=True) for misere in plays}
    return {
        "sums": [[graph.number_of(part) for part in position] for position in sums],
        "plays": {play_name(misere): _known(solved) for misere, solved in solutions.items()},
    }


def _largest_product(graph: GameGraph, tokens: list[int]) -> Product | None:
    """Return the product of the tokens: the graph of the sums that play can reach.

    If the graph has sum vertices, the product should also have the sums that play reaches from each single vertex. If
    it has decided positions, the product should also have the sums after a player misses an immediate win. If the
    product is too large, leave out the sums from single vertices, or the sums after missed wins, or both: return the
    first of these that is small enough. Return None if all are too large, or if the page needs no product.
    """
    whole = [tokens] if len(tokens) > 1 else []
    every = [] if graph.sums is None else [[vertex] for vertex in range(len(graph))]
    single = [tokens] if graph.sums is not None and len(tokens) == 1 else whole
    for after_misses in (True, False) if graph.decided is not None else (True,):
        for starts in (whole + every, single):
            try:
                return Product(graph, starts, MOST_POSITIONS, whole=after_misses) if starts else None
            except LimitError:
                continue
    return None


def proof_data(certificate: PositionCertificate, position: Position | None = None) -> dict[str, Any]:
    """Return the data of a page that plays the winner's side by a certificate.

    ``position`` is the start; the default is the position that the certificate names. Positions that the certificate
    does not list have no value, and only the winner's replies as options.

    Raises
    ------
    RulesetError
        The certificate does not prove its claim, or a move may end play at once: then equal positions do not cancel.
    LimitError
        The game is too large for a page.
    """
    position = parse_position(certificate.position) if position is None else position
    if (fault := certificate.fault(position)) is not None:
        raise RulesetError("the certificate proves nothing: {fault}", fault)
    if position.decides:
        raise RulesetError(
            "there is no page for a certificate if a move of the game may end play at once: run graphgame draw "
            "with the position in place of the certificate, or graphgame play with the certificate"
        )
    graph, values = _strategy(ListedValues(certificate, position), position)
    check_page_size(graph)

    def text(vertex: Hashable) -> str:
        part = vertex if isinstance(vertex, Component) else position.components[0]._replace(position=vertex)
        return position.text(part)

    named = with_texts(graph, text)
    shown = shown_data(solve(named), named, np.arange(len(graph)), list(graph.labels), position)
    return {
        **shown,
        "plays": {"normal": {"values": values, "remoteness": None}, "misere": {"values": None, "remoteness": None}},
        "product": None,
        "proof": certificate.outcome,
        "longest": [None] * len(graph),
    }


def _strategy(listed: ListedValues, position: Position) -> tuple[GameGraph, list[int | None]]:
    """Return the graph of all positions that can occur while the winner follows the certificate, and a list of values.

    Entry v is the value of vertex v; None if the certificate does not prove the value.
    """
    starts, reached = listed.shown(position)
    games = {game_text(part): part for part in position.components}
    number = {key: vertex for vertex, key in enumerate(reached)}
    labels: list[Hashable] = [games[name]._replace(position=part) if len(games) > 1 else part for name, part in reached]
    values = [value for value, _ in reached.values()]
    sums: dict[frozenset[int], int] = {}
    edges: list[tuple[int, int]] = []
    for vertex, ((name, _), (_, options)) in enumerate(reached.items()):
        for parts in options:
            ends = frozenset(number[name, part] for part in parts)
            if len(ends) == 1:
                edges.append((vertex, min(ends)))
                continue
            if ends not in sums:
                sums[ends] = len(labels)
                labels.append(Sum([labels[end] for end in sorted(ends)]))
                of_parts = [values[end] for end in ends]
                values.append(None if None in of_parts else reduce(xor, of_parts, 0))
            edges.append((vertex, sums[ends]))
    edges += [(vertex, end) for ends, vertex in sums.items() for end in ends]
    source, target = np.array(edges, np.int64).reshape(-1, 2).T
    graph = GameGraph.from_arrays(
        source,
        target,
        labels,
        sums=np.arange(len(labels)) >= len(reached),
        tokens=[labels[number[key]] for key in starts],
    )
    return graph, values


_LANGUAGES = {"en": ("en", "English"), "zh": ("zh-Hans", "中文")}
"""For each language, its tag in HTML and its name in the language itself."""

_MARKUP = {ord(character): f"\\u{ord(character):04x}" for character in "<>&"}
"""Escapes for the characters that HTML would read as markup within JSON."""


@checks_parameters
def write_page(
    game: GameLike | PositionCertificate,
    path: PathLike,
    *,
    title: str | None = None,
    reachable_from: Iterable[Hashable] = (),
    position: Position | None = None,
    run_rules: bool = False,
) -> None:
    """Write a solved game as one HTML file, to explore and play in a browser, without a network.

    The page shows the graph, the options and predecessors of each position, how its value follows, and sums as columns
    of binary digits. It plays the game under normal and misère play, also if the graph has cycles. Graphviz, if
    installed, lays out a sparse graph of up to 500 vertices; the page lays out all other graphs itself. Of a large
    graph it shows a neighbourhood, which grows with each click.

    Parameters
    ----------
    game : GameLike or PositionCertificate
        See :class:`GameGraph`. A game that is not solved yet is solved. From a certificate, the page plays the winner's
        side.
    path : str or os.PathLike
        ``-`` writes to standard output.
    title : str, optional
        The title of the page, "graphgame" by default.
    reachable_from : iterable of hashable
        Keep only the positions that play can reach from these, and from the tokens.
    position : Position, optional
        The position that the graph was explored from, so that the page can show heaps and boards. The default is the
        game itself, if it is a position.
    run_rules : bool
        Whether to run the Python file that a text names: see :func:`parse_position`.

    Raises
    ------
    CycleError
        The game has a cycle, and is not a solution: solve it with ``loopy=True`` first.
    LimitError
        There are more than 20,000 positions or 500,000 moves. Or the game is under misère play, and the page could not
        play it.
    RulesetError
        The certificate does not prove its claim, or its game has moves that can end play at once.
    UnknownPositionError
        A position in ``reachable_from`` is not a vertex.

    Notes
    -----
    To show how long play of a sum lasts, or to play a sum under misère play, the page needs the explicit product. The
    product is in the file if it has at most 20,000 positions. If it has more, the page offers neither, except misère
    Nim, which it plays by Bouton's theorem; if the reader chooses a smaller sum to start from, the page computes its
    product. The page never offers misère play of a game that a move can end at once. Labels are data in the file, and
    plain text on the page.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "game.html")
    >>> write_page("nim(3,4,5)", path, title="Nim")
    >>> path.read_text().splitlines()[0]
    '<!DOCTYPE html>'
    """
    if not isinstance(game, PositionCertificate):
        game = named_game(game, run_rules=run_rules)
    text = page_html(game, title=title, reachable_from=reachable_from, position=position)
    with open_atomic(path) as stream:
        stream.write(text)


def page_html(
    game: GameLike | PositionCertificate,
    *,
    title: str | None = None,
    reachable_from: Iterable[Hashable] = (),
    position: Position | None = None,
    site: dict[str, Any] | None = None,
) -> str:
    """Return the HTML of a page; the other parameters are those of :func:`write_page`.

    ``site`` has the data of the bar that the local site shows above a page; see :mod:`graphgame.labs.web.work`. Without
    it there is no bar.
    """
    heading = "graphgame" if title is None else "\n".join(printable(line, 0) for line in title.split("\n"))
    data = {"title": heading, **_data(game, reachable_from, position)}
    return _document(data, "page") if site is None else _document({**data, "site": site}, "above")


def site_html(site: dict[str, Any]) -> str:
    """Return the HTML of the start page of the local site; :func:`graphgame.labs.web.work.home` makes ``site``."""
    return _document({"title": "graphgame", "site": site}, "home")


def _data(
    game: GameLike | PositionCertificate, reachable_from: Iterable[Hashable], position: Position | None
) -> dict[str, Any]:
    if isinstance(game, PositionCertificate):
        return proof_data(game, position)
    named = named_game(game)
    if position is None and isinstance(named, Position):
        position = named
    return page_data(solution_of(named), reachable_from=reachable_from, position=position)


def _document(data: dict[str, Any], entry: str) -> str:
    language = current_language()
    style, script = _style(with_site=entry != "page"), bundle(entry)
    pieces = {
        "LANGUAGE": "" if language == LANGUAGES[0] else f' data-language="{language}"',
        "POLICY": (
            f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
            "base-uri 'none'; form-action 'none'" + ("; connect-src 'self'" if entry == "home" else "")
        ),
        "TITLE": escape(data["title"]),
        "STYLE": style,
        "GAME": json.dumps(data, separators=(",", ":")).translate(_MARKUP),
        "TEXTS": _texts(script),
        "SCRIPT": script,
    }
    return re.sub("%%([A-Z]+)%%", lambda slot: pieces[slot[1]], static_file("page.html"))


@cache
def _texts(script: str) -> str:
    """Return the texts that the script of a page shows, in all languages, as JSON.

    Sentences of explanations are listed by their key in :data:`SENTENCES`, all other texts by the English text.
    """
    keys, translations = sorted(texts(script)), {code: texts_of(code) for code in LANGUAGES[1:]}
    return json.dumps(
        {
            "languages": {code: {"tag": tag, "name": name} for code, (tag, name) in _LANGUAGES.items()},
            "texts": {code: {text: of[text] for text in keys if text in of} for code, of in translations.items()},
            "sentences": {
                key: [lookup(english, code).replace("\n", " ") for code in LANGUAGES]
                for key, english in SENTENCES.items()
                if f'"{key}"' in script
            },
        },
        ensure_ascii=False,
        separators=(",", ":"),
    ).translate(_MARKUP)


@cache
def _style(*, with_site: bool) -> str:
    """Return the style sheet, without comments, spaces and semicolons that CSS can do without.

    ``with_site`` adds the style of ``serve``.
    """
    sheets = (static_file(f"{name}.css") for name in ("page", "board", "site")[: 3 if with_site else 2])
    style = re.sub(r"/\*.*?\*/", "", _colors() + "".join(sheets), flags=re.DOTALL)
    return re.sub(r"(?<=:) +|\s*([{};,>])\s*", r"\1", style).replace(";}", "}")


def _colors() -> str:
    """Return a rule of CSS that defines the colours of pictures, for the light and the dark theme, as properties."""
    light, dark = map(_properties, (THEMES["light"], THEMES["dark"]))
    pairs = (f"--{name}: light-dark({light[name]}, {dark[name]});" for name in light)
    return f":root {{ {' '.join(pairs)} }}\n"


def _properties(theme: Theme) -> dict[str, str]:
    filled = {**dict(zip("pnd", theme.fills, strict=True)), "token": theme.token}
    words = {f"on-{name}": ink_on(color) for name, color in filled.items()}
    return {**filled, **words, "ink": theme.ink, "outline": theme.outline, "edge": theme.move, "win": theme.winning}


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


class EmbeddedPage(NamedTuple):
    """A page in a notebook, in a frame that has no access to the notebook.

    Parameters
    ----------
    html : str
        The page.
    height : int
        The height of the frame in pixels.
    """

    html: str
    height: int

    def __repr__(self) -> str:
        return f"<EmbeddedPage: {len(self.html):,} characters>"

    def _repr_html_(self) -> str:
        """Return the HTML of the frame, which contains the page as an escaped attribute."""
        return (
            f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts" title="graphgame" width="100%" '
            f'height="{self.height}" style="border: 1px solid #8888; border-radius: 8px"></iframe>'
        )


def embedded(shown: GameGraph | Solution | Position, title: str | None, height: int) -> EmbeddedPage:
    """Return the page of a game for a notebook; ``height`` is in pixels. A position's default title is its text."""
    if title is None and isinstance(shown, Position):
        title = str(shown)
    return EmbeddedPage(page_html(shown, title=title), height)
