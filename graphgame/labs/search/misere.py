"""The search under misère play: who wins a sum, where values of its components do not tell.

What a component is worth in sums is its misère canonical form. Those of components whose play is short are found: equal
ones have one number, and sums of them that stay short are added up. The search by proof numbers is among sums of such
forms and of larger components, each told by their numbers: a sum counts as one position, and one that is lost as 0.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from graphgame.labs.misere.genus import MisereForms
from graphgame.labs.search.nimber_search import Allowance, Solver
from graphgame.labs.search.proof_numbers import LIVES_BITS, CoupleSearch, Lines
from graphgame.rules.exploration import Remembered
from graphgame.rules.position import Component
from graphgame.rules.ruleset import Ruleset, TextRuleset

_LONGEST = 8
"""The longest play of components, and of sums of them, whose forms are found."""

_LOST, _WON = 0, ~1
"""Facts about sums."""

_MOVES = (1 << LIVES_BITS) - 1


class _Game:
    """The positions of some components, told by numbers."""

    def __init__(self, name: str, ruleset: Ruleset, allowance: Allowance) -> None:
        self.numbers: dict[Hashable, int] = {}
        self._ruleset = ruleset
        self._rules = Solver(name, ruleset, allowance)
        self._image = Remembered(self._rules.canonical).__getitem__

    def options(self, position: Hashable) -> Iterator[list[tuple[Hashable, int]]]:
        """Return the options of a canonical position: all components of each, with their weights."""
        if not isinstance(self._ruleset, TextRuleset):
            yield from self._rules.tried(position, self.parts)
            return
        lines, weights = self._ruleset.option_lines(np.frombuffer(bytearray(str(position), "latin-1"), np.uint8))
        written = str(lines.tobytes(), "latin-1")
        each = iter(weights[: written.count("!")].tolist())
        for line in written.split("\n")[:-1]:
            yield [(f"{text}!", weight) for text, weight in zip(line.split("!")[:-1], each, strict=False)]

    def parts(self, positions: Sequence[Hashable]) -> list[tuple[Hashable, int]]:
        """Return canonical positions in place of others, with their weights."""
        return [(image, self._rules.moves(image)) for image in map(self._image, positions)]


_State = tuple[tuple[int, ...], tuple[int, ...]]
"""Forms in order, and the numbers of larger components in order."""


class MisereSearch:
    """A search for who wins a sum of positions of any games under misère play.

    References
    ----------
    J. Lemoine, S. Viennot, Analysis of misère Sprouts game with reduced canonical trees (2009).

    Examples
    --------
    >>> from graphgame import parse_position
    >>> MisereSearch(Allowance()).wins(parse_position("sprouts(3) + cram(2x3)").components)
    True
    """

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._search = CoupleSearch(self._options, self._positions, allowance)
        self._games: dict[tuple[object, ...], _Game] = {}
        self._components: list[tuple[_Game, Hashable]] = []
        self._weights: list[int] = []
        self._moves: dict[int, list[tuple[int, ...]]] = {}
        self._cached = 0
        self._forms = MisereForms()
        self._added = Remembered(self._sum_up)
        self._form_of: dict[int, int] = {}
        self._longer: dict[int, int] = {}
        self._told: set[tuple[int, ...]] = set()

    def wins(self, components: Sequence[Component]) -> bool:
        """Tell whether the player to move wins."""
        parts = []
        for component in components:
            if (game := self._games.get(component.game)) is None:
                game = self._games[component.game] = _Game(component.name, component.ruleset, self._allowance)
            parts += [self._number(game, *part) for part in game.parts([component.position])]
        return not self._search.is_lost(self._lines([self._state((), parts)]), 0)

    def _number(self, game: _Game, position: Hashable, weight: int) -> int:
        number = game.numbers.setdefault(position, len(self._components))
        if number == len(self._components):
            self._components.append((game, position))
            self._weights.append(weight)
        return number

    def _positions(self, text: bytes) -> Hashable:
        """Return the positions of a sum that are told by their own, for a message."""
        positions = tuple(self._components[number][1] for number in _sum_of(text)[1])
        return positions[0] if len(positions) == 1 else positions

    def _options(self, text: bytes) -> Lines:
        forms, large = _sum_of(text)
        return self._lines(dict.fromkeys(self._options_of(forms, large)))

    def _options_of(self, forms: tuple[int, ...], large: tuple[int, ...]) -> Iterator[_State]:
        for place, form in enumerate(forms):
            rest = forms[:place] + forms[place + 1 :]
            for option in self._forms.options[form] if form not in rest[:place] else ():
                yield self._added[(*rest, option)], large
        for place, component in enumerate(large):
            others = large[:place] + large[place + 1 :]
            for parts in self._options_of_component(component) if component not in others[:place] else ():
                yield self._state(forms, parts, others)

    def _options_of_component(self, component: int) -> list[tuple[int, ...]]:
        """Return the distinct options of a component, each with all its parts."""
        found = self._moves.get(component)
        if found is None:
            self._allowance.look(self._search.depth, measured=True)
            game, position = self._components[component]
            sums = (sorted(self._number(game, *part) for part in parts) for parts in game.options(position))
            found = list(dict.fromkeys(map(tuple, sums)))
            self._cached += len(found)
            if self._cached > self._allowance.most_cached:
                self._moves.clear()
                self._cached = len(found)
            self._moves[component] = found
        return found

    def _lines(self, states: Iterable[_State]) -> Lines:
        """Return sums as texts, a line each, and their weights; keep who wins those that are one form."""
        texts, weights = [], []
        for forms, large in states:
            texts.append(f"{','.join(map(str, forms))};{','.join(map(str, large))}!")
            weights.append(self._weight(forms, large))
            if not large and len(forms) < 2 and forms not in self._told:
                won = self._forms.superscript[forms[0] if forms else 0][0] != 0
                self._search.keep(self._search.number(texts[-1].encode()), _WON if won else _LOST)
                self._told.add(forms)
        text = "\n".join([*texts, ""]).encode()
        return np.frombuffer(text, np.uint8), np.array(weights, np.int64)

    def _weight(self, forms: tuple[int, ...], large: tuple[int, ...]) -> int:
        lives = moves = 0
        for component in large:
            lives += self._weights[component] >> LIVES_BITS
            moves += self._weights[component] & _MOVES
        for form in forms:
            moves += self._forms.birthday[form]
        return (lives << LIVES_BITS) + min(moves, _MOVES)

    def _state(self, forms: tuple[int, ...], parts: Iterable[int], others: tuple[int, ...] = ()) -> _State:
        """Return the sum of forms, components, and others that are large, with the forms of all whose play is short."""
        large, found = [], []
        for part in parts:
            form = self._form(part, _LONGEST)
            if form is None:
                large.append(part)
            elif form:
                found.append(form)
        return self._added[(*forms, *found)], tuple(sorted((*others, *large))) if large else others

    def _sum_up(self, forms: Any) -> tuple[int, ...]:  # noqa: ANN401
        """Return forms in order, the shortest added up."""
        length = self._forms.birthday
        left = sorted((form for form in forms if form), key=lambda form: (length[form], form))
        # Forms of sums grow fast: only sums whose play stays short are added up.
        while len(left) > 1 and length[left[0]] + length[left[1]] <= _LONGEST:
            total = self._forms.add(left[0], left[1])
            left = sorted([*left[2:], *([total] if total else [])], key=lambda form: (length[form], form))
        return tuple(left)

    def _form(self, component: int, longest: int) -> int | None:
        """Return the form of a component, if no play from it is longer than told."""
        form = self._form_of.get(component)
        if form is not None:
            return form
        if self._longer.get(component, (self._weights[component] >> LIVES_BITS) - 1) > longest:  # a move takes a life
            return None
        if component not in self._longer:
            self._allowance.keep()
            self._allowance.visited += 1
        found = set()
        for parts in self._options_of_component(component):
            # A move makes play shorter by one, so options get one move less.
            form = self._form_of_sum(parts, longest - 1) if longest else None
            if form is None:
                self._longer[component] = longest + 1
                return None
            found.add(form)
        self._form_of[component] = form = self._forms.form(found)
        return form

    def _form_of_sum(self, parts: Sequence[int], longest: int) -> int | None:
        total, length = 0, 0
        for part in parts:
            form = self._form(part, longest - length) if longest >= length else None
            if form is None:
                return None
            length += self._forms.birthday[form]
            total = self._forms.add(total, form) if total and form else total or form
        return total if length <= longest else None


def _sum_of(text: bytes) -> _State:
    """Return the sum that a text tells."""
    forms, large = text[:-1].split(b";")
    return tuple(map(int, forms.split(b",") if forms else ())), tuple(map(int, large.split(b",") if large else ()))
