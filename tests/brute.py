"""The definitions, written as directly as possible, as an oracle for the tests, without any import from the package."""

from functools import cache


def least_missing(values):
    return min(set(range(len(values) + 1)) - set(values))


def grundy_values(options, sums=(), terminal=0):
    """Return {vertex: value} for {vertex: [options]}; a part of a sum counts as often as it is listed.

    A vertex without options has the value ``terminal``, unless it is in ``sums``: then it has the value 0.
    """

    @cache
    def value(vertex):
        values = [value(option) for option in options[vertex]]
        if vertex in sums:
            total = 0
            for part in values:
                total ^= part
            return total
        return least_missing(values) if values else terminal

    return {vertex: value(vertex) for vertex in options}


def _playing(options, sums):
    """Return two functions of a tuple of components: ``moves`` yields the tuples that its moves reach, and ``flat``
    returns the sorted tuple in which the parts of each sum vertex replace it."""

    def moves(position):
        for place, component in enumerate(position):
            rest = position[:place] + position[place + 1 :]
            for option in options[component]:
                yield flat((*rest, option))

    def flat(position):
        parts = []
        for component in position:
            parts.extend(flat(options[component]) if component in sums else [component])
        return tuple(sorted(parts))

    return moves, flat


def play_out(options, sums=(), misere=False, decided=None):
    """Return a function that maps a tuple of components to (True if the player to move wins, moves until the end).

    The winner hurries and the loser delays. With ``misere`` a player without a move wins. ``decided`` maps
    the vertices that end all play to the outcome, "P" or "N". If both occur, "P" counts.
    """
    moves, flat = _playing(options, sums)

    @cache
    def result(position):
        ends = [decided[part] for part in position if part in decided] if decided else []
        if ends:
            return "P" not in ends, 0
        results = [result(after) for after in moves(position)]
        if not results:
            return misere, 0
        losing_for_other = [length for wins, length in results if not wins]
        if losing_for_other:
            return True, 1 + min(losing_for_other)
        return False, 1 + max(length for _, length in results)

    return lambda position: result(flat(position))


def longest_play(options, sums=(), decided=()):
    """Return {vertex: length of the longest play}; ``decided`` vertices end play."""
    moves, flat = _playing(options, sums)

    @cache
    def length(position):
        if any(part in decided for part in position):
            return 0
        return max((1 + length(after) for after in moves(position)), default=0)

    return {vertex: length(flat((vertex,))) for vertex in options}


def loopy_outcomes(options, misere=False):
    """Return {vertex: (P, N or D, moves until a forced end)} for {vertex: [options]}, which may have cycles."""
    result = {}
    for length in range(len(options) + 1):
        new = {}
        for vertex in options.keys() - result.keys():
            after = [result.get(option, "D")[0] for option in options[vertex]]
            if not after:
                new[vertex] = ("N" if misere else "P", length)
            elif "P" in after:
                new[vertex] = ("N", length)
            elif set(after) == {"N"}:
                new[vertex] = ("P", length)
        if not new:
            break
        result.update(new)
    return {vertex: result.get(vertex, ("D", None)) for vertex in options}


def played_out(options, sums):
    """Return {tuple of components: [options]} for {vertex: [options]} with sums, and {vertex: its tuple}.

    A component without options is left out of a tuple.
    """

    def flat(position):
        parts = []
        for component in position:
            parts.extend(flat(options[component]) if component in sums else [component])
        return tuple(sorted(part for part in parts if options[part]))

    graph, stack = {}, [flat((vertex,)) for vertex in options]
    starts = dict(zip(options, stack, strict=True))
    while stack:
        here = stack.pop()
        if here not in graph:
            rests = [(here[:place] + here[place + 1 :], part) for place, part in enumerate(here)]
            graph[here] = sorted({flat((*rest, end)) for rest, part in rests for end in options[part]})
            stack.extend(graph[here])
    return graph, starts


def loopy_values(options, misere=False):
    """Return {vertex: m} if its sum with a heap of m is a P-position, otherwise {vertex: set of its options' m}."""
    most = max(map(len, options.values()), default=0) + 1
    if misere:  # one extra move turns a terminal position into a loss of the other player
        options = {v: ends or ["end"] for v, ends in options.items()} | {"end": []}
    product = {
        (v, m): [(w, m) for w in options[v]] + [(v, k) for k in range(m)] for v in options for m in range(most + 2)
    }
    outcomes = loopy_outcomes(product)
    finite = {v: next((m for m in range(most + 2) if outcomes[v, m][0] == "P"), None) for v in options}
    return {
        v: frozenset(finite[w] for w in options[v]) - {None} if m is None else m
        for v, m in finite.items()
        if v != "end"
    }


# Games by their stated rules. A move is (parts, "won"), (parts, "lost") or (parts, None): the parts that it leaves, and
# whether the player who makes it has won, has lost, or play goes on.


def cuts(sheet):
    """Cutting Game: cut along a grid line; the first player who makes a 1x1 wins."""
    for width, height in {sheet, sheet[::-1]}:
        for cut in range(1, width // 2 + 1):
            parts = tuple(sorted(tuple(sorted(part)) for part in ((cut, height), (width - cut, height))))
            yield parts, "won" if (1, 1) in parts else None


def numbers_written(board):
    """Whiteboard numbers (goal, most, last): write a number larger by 1 to most; reaching the goal loses."""
    goal, most, last = board
    for number in range(last + 1, last + most + 1):
        yield ((goal, most, number),), "lost" if number >= goal else None


def crosses(row):
    """Treblecross: write a cross on a free square; the player who makes three in a row wins."""
    for square in range(len(row)):
        if row[square] == ".":
            after = row[:square] + "X" + row[square + 1 :]
            yield (after,), "won" if "XXX" in after else None


def bites(bar):
    """Chomp (lengths of rows): eat a square and all squares right of it, below it, or both; eating the corner loses."""
    for row, length in enumerate(bar):
        for column in range(length):
            after = bar[:row] + tuple(min(column, other) for other in bar[row:])
            yield (tuple(filter(None, after)),), None if row or column else "lost"


def counters_taken(heap):
    """A heap (size, most): take 1 to most counters."""
    size, most = heap
    for taken in range(1, min(size, most) + 1):
        yield ((size - taken, most),), None


STATED = {
    "nim": lambda size: (((left,), None) for left in range(size)),
    "cutting": cuts,
    "whiteboard": numbers_written,
    "treblecross": crosses,
    "chomp": bites,
    "bash": counters_taken,
}


def stated_moves(game):
    """Return the moves of a sum of (name, position) as (index of the component, its parts afterwards, end)."""
    return [(place, parts, end) for place, (name, position) in enumerate(game) for parts, end in STATED[name](position)]


def stated_result(game, known):
    """Return (True if the player to move wins a sum of (name, position), moves until the end); ``known`` is a cache."""
    key = tuple(sorted(game))
    if key not in known:
        moves = stated_moves(key)
        if any(end == "won" for *_, end in moves):
            known[key] = True, 1
            return known[key]
        results = [(True, 0) if end else stated_result(_after(key, place, parts), known) for place, parts, end in moves]
        quickest = min((length for wins, length in results if not wins), default=None)
        slowest = max((length for _, length in results), default=-1)
        known[key] = (False, 1 + slowest) if quickest is None else (True, 1 + quickest)
    return known[key]


def stated_wins(game, known):
    """Return the winning moves of a sum of (name, position), in the form of :func:`stated_moves`."""
    return [
        (place, parts, end)
        for place, parts, end in stated_moves(game)
        if end == "won" or (end is None and not stated_result(_after(game, place, parts), known)[0])
    ]


def _after(game, place, parts):
    name = game[place][0]
    return (*game[:place], *((name, part) for part in parts), *game[place + 1 :])
