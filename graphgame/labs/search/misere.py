"""The search under misère play, where the values of the components do not decide who wins a sum.

A component can be replaced by its misère canonical form in every sum. These forms are computed for components whose
play is short. Equal forms have one number, and forms are added as long as the sum's play stays short. The proof-number
search then works on sums of forms and of larger components, each written as their numbers. A whole sum counts as one
position of that search: its value is 0 if the sum is a P-position.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from graphgame.labs.bitboards.placement import TextRuleset
from graphgame.labs.misere.genus import MisereForms
from graphgame.labs.search.nimber_search import Allowance, CachedOptions, Solver
from graphgame.labs.search.proof_numbers import LIVES_BITS, CoupleSearch, Lines
from graphgame.rules.exploration import BoundedCache
from graphgame.rules.position import Component
from graphgame.rules.ruleset import Ruleset

_LONGEST = 8
"""The longest play of a component, or of a sum of forms, whose canonical form is computed."""

_LOST, _WON = 0, ~1
"""The facts about sums: the value is 0, or the value 0 is excluded."""

_MOVES = (1 << LIVES_BITS) - 1
"""The bits of a weight that hold the number of moves."""


class _Game:
    """The options of the positions of one game, and a number for each position met."""

    def __init__(self, name: str, ruleset: Ruleset, allowance: Allowance) -> None:
        self.numbers: dict[Hashable, int] = {}
        self._ruleset = ruleset
        self._rules = Solver(name, ruleset, allowance)
        self._image = BoundedCache(self._rules.canonical).__getitem__

    def options(self, position: Hashable) -> Iterator[list[tuple[Hashable, int]]]:
        """Yield the options of a canonical position. Each is a list of pairs (component, weight)."""
        if not isinstance(self._ruleset, TextRuleset):
            yield from self._rules.tried(position, self.parts)
            return
        lines, weights = self._ruleset.option_lines(str(position).encode("latin-1"))
        written = str(lines.tobytes(), "latin-1")
        each = iter(weights[: written.count("!")].tolist())
        for line in written.split("\n")[:-1]:
            yield [(f"{text}!", weight) for text, weight in zip(line.split("!")[:-1], each, strict=False)]

    def parts(self, positions: Sequence[Hashable]) -> list[tuple[Hashable, int]]:
        """Return the canonical forms of positions, each with its weight."""
        return [(image, self._rules.moves(image)) for image in map(self._image, positions)]


_State = tuple[tuple[int, ...], tuple[int, ...]]
"""A sum: its forms in order, and the numbers of its larger components in order."""


class MisereSearch:
    """A search for the outcome of a sum of positions under misère play. The positions may belong to different games.

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
        self._moves = CachedOptions(self._options_of_component, allowance)
        self._forms = MisereForms()
        self._added = BoundedCache(self._sum_up)
        self._form_of: dict[int, int] = {}
        self._longer: dict[int, int] = {}
        self._told: set[tuple[int, ...]] = set()

    def wins(self, components: Sequence[Component]) -> bool:
        """Return True if the player to move wins the sum of the components."""
        parts = []
        for component in components:
            if (game := self._games.get(component.game)) is None:
                game = self._games[component.game] = _Game(component.name, component.ruleset, self._allowance)
            parts += [self._number(game, *part) for part in game.parts([component.position])]
        return not self._search.is_lost(self._lines([self._state((), parts)]), 0)

    def _number(self, game: _Game, position: Hashable, weight: int) -> int:
        """Return the number of a component; a new one gets the given weight."""
        number = game.numbers.setdefault(position, len(self._components))
        if number == len(self._components):
            self._components.append((game, position))
            self._weights.append(weight)
        return number

    def _positions(self, text: bytes) -> Hashable:
        """Return the larger components of a sum as positions, for a message."""
        positions = tuple(self._components[number][1] for number in _sum_of(text)[1])
        return positions[0] if len(positions) == 1 else positions

    def _options(self, text: bytes) -> Lines:
        forms, large = _sum_of(text)
        return self._lines(dict.fromkeys(self._options_of(forms, large)))

    def _options_of(self, forms: tuple[int, ...], large: tuple[int, ...]) -> Iterator[_State]:
        """Yield the options of a sum: a move in each form, and in each larger component."""
        # Equal forms or components have the same options: move only in the first of them.
        for place, form in enumerate(forms):
            rest = forms[:place] + forms[place + 1 :]
            for option in self._forms.options[form] if form not in rest[:place] else ():
                yield self._added[(*rest, option)], large
        for place, component in enumerate(large):
            others = large[:place] + large[place + 1 :]
            for parts in self._moves[component] if component not in others[:place] else ():
                yield self._state(forms, parts, others)

    def _options_of_component(self, component: int) -> list[tuple[int, ...]]:
        """Return the distinct options of a component, each as the sorted numbers of its parts."""
        self._allowance.look(self._search.depth, measured=True)
        game, position = self._components[component]
        sums = (sorted(self._number(game, *part) for part in parts) for parts in game.options(position))
        return list(dict.fromkeys(map(tuple, sums)))

    def _lines(self, states: Iterable[_State]) -> Lines:
        """Return sums as :data:`Lines`. The outcome of a sum that is at most one form is written as a fact."""
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
        """Return the weight of a sum: the total of its components' lives and moves, plus the lengths of its forms."""
        lives = moves = 0
        for component in large:
            lives += self._weights[component] >> LIVES_BITS
            moves += self._weights[component] & _MOVES
        for form in forms:
            moves += self._forms.birthday[form]
        return (lives << LIVES_BITS) + min(moves, _MOVES)

    def _state(self, forms: tuple[int, ...], parts: Iterable[int], others: tuple[int, ...] = ()) -> _State:
        """Return the sum of forms and components, in which components with short play are replaced by their forms.

        ``others`` are components that are known to be large.
        """
        large, found = [], []
        for part in parts:
            form = self._form(part, _LONGEST)
            if form is None:
                large.append(part)
            elif form:
                found.append(form)
        return self._added[(*forms, *found)], tuple(sorted((*others, *large))) if large else others

    def _sum_up(self, forms: Any) -> tuple[int, ...]:  # noqa: ANN401
        """Return forms in order, after adding the shortest ones as long as the sum stays short."""
        length = self._forms.birthday
        left = sorted((form for form in forms if form), key=lambda form: (length[form], form))
        # Canonical forms of sums grow fast, so only sums with short play are computed.
        while len(left) > 1 and length[left[0]] + length[left[1]] <= _LONGEST:
            total = self._forms.add(left[0], left[1])
            left = sorted([*left[2:], *([total] if total else [])], key=lambda form: (length[form], form))
        return tuple(left)

    def _form(self, component: int, longest: int) -> int | None:
        """Return the canonical form of a component; None if a play from it is longer than ``longest`` moves."""
        form = self._form_of.get(component)
        if form is not None:
            return form
        # _longer has a length that some play reaches. Without one, the lives bound it: each move takes one life.
        if self._longer.get(component, (self._weights[component] >> LIVES_BITS) - 1) > longest:
            return None
        if component not in self._longer:
            self._allowance.keep()
            self._allowance.visited += 1
        found = set()
        for parts in self._moves[component]:
            # A move makes play shorter by one, so options get one move less.
            form = self._form_of_sum(parts, longest - 1) if longest else None
            if form is None:
                self._longer[component] = longest + 1
                return None
            found.add(form)
        self._form_of[component] = form = self._forms.form(found)
        return form

    def _form_of_sum(self, parts: Sequence[int], longest: int) -> int | None:
        """Return the canonical form of a sum of components; None if its play can be longer than ``longest`` moves."""
        # The longest play of a sum is the total of the longest plays of its parts.
        total, length = 0, 0
        for part in parts:
            form = self._form(part, longest - length) if longest >= length else None
            if form is None:
                return None
            length += self._forms.birthday[form]
            total = self._forms.add(total, form) if total and form else total or form
        return total if length <= longest else None


def _sum_of(text: bytes) -> _State:
    """Return the sum that a text describes: forms before ``;``, larger components after it."""
    forms, large = text[:-1].split(b";")
    return tuple(map(int, forms.split(b",") if forms else ())), tuple(map(int, large.split(b",") if large else ()))
