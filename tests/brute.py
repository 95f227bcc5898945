"""The definitions, written down as directly as possible: the oracle of the tests. Nothing here is from the package."""

from functools import cache


def least_missing(values):
    return min(set(range(len(values) + 1)) - set(values))


def grundy_values(options, sums=(), terminal=0):
    """Map each vertex of {vertex: [options]} to its value; in a sum every part counts as often as it is listed."""

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


def play_out(options, sums=(), misere=False):
    """Return a function that maps a tuple of components to (whether the mover wins, moves until the end)."""

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

    @cache
    def result(position):
        results = [result(after) for after in moves(position)]
        if not results:
            return misere, 0
        losing_for_other = [length for wins, length in results if not wins]
        if losing_for_other:
            return True, 1 + min(losing_for_other)
        return False, 1 + max(length for _, length in results)

    return lambda position: result(flat(position))


def longest_play(options):
    @cache
    def length(vertex):
        return max((1 + length(option) for option in options[vertex]), default=0)

    return {vertex: length(vertex) for vertex in options}
