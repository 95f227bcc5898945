"""The search under misère play, where the values of the components do not decide who wins a sum.

A component can be replaced by its misère canonical form in every sum. These forms are computed for *small* components:
those in which no play is longer than 8 moves (in Sprouts: with at most 9 lives). Each form has a number, which is 0 for
the form of a finished game. Two forms are replaced by the form of their sum if no play of the sum is longer than 8
moves. The proof-number search (:mod:`graphgame.labs.search.proof_numbers`) then works on sums of forms and of
components that are not small, the *larger components*. For that search a sum is a single position. The text of this
position has the numbers of the forms and of the larger components. Its value is 0 if the sum is a P-position under
misère play, and not 0 if it is an N-position.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from graphgame.labs.bitboards.placement import TextRuleset
from graphgame.labs.misere.genus import MisereForms
from graphgame.labs.search.nimber_search import Budget, CachedOptions, Solver
from graphgame.labs.search.proof_numbers import LIVES_BITS, CoupleSearch, Lines
from graphgame.rules.exploration import BoundedCache
from graphgame.rules.position import Component
from graphgame.rules.ruleset import Ruleset

_LONGEST_PLAY = 8
"""The canonical form of a component, or of a sum of forms, is computed if no play is longer than this many moves."""

_LOST, _WON = 0, ~1
"""The fact about a sum that is a P-position (its value is 0), and about an N-position (the value 0 is excluded)."""

_MOVES = (1 << LIVES_BITS) - 1
"""The bits of a weight that hold the number of moves."""


class _Game:
    """The options of the positions of one game, and the numbers of the positions that the search has seen."""

    def __init__(self, name: str, ruleset: Ruleset, budget: Budget) -> None:
        self.numbers: dict[Hashable, int] = {}
        self._ruleset = ruleset
        self._rules = Solver(name, ruleset, budget)
        self._image = BoundedCache(self._rules.canonical).__getitem__

    def options(self, position: Hashable) -> Iterator[list[tuple[Hashable, int]]]:
        """Yield the options of a canonical position. Each option is a list of pairs (component, weight)."""
        if not isinstance(self._ruleset, TextRuleset):
            yield from self._rules.map_options(position, self.parts)
            return
        lines, weights = self._ruleset.option_lines(str(position).encode("latin-1"))
        written = str(lines.tobytes(), "latin-1")
        next_weights = iter(weights[: written.count("!")].tolist())
        for line in written.split("\n")[:-1]:
            yield [(f"{text}!", weight) for text, weight in zip(line.split("!")[:-1], next_weights, strict=False)]

    def parts(self, positions: Sequence[Hashable]) -> list[tuple[Hashable, int]]:
        """Return a pair (canonical form, weight) for each position.

        The weight is the rules' estimate of the number of moves. In Sprouts it also has the number of lives, in the
        bits above the low LIVES_BITS bits.
        """
        return [(image, self._rules.moves(image)) for image in map(self._image, positions)]


_State = tuple[tuple[int, ...], tuple[int, ...]]
"""A sum: the numbers of its forms, sorted by length of play, and the sorted numbers of its larger components."""


class MisereSearch:
    """A search for the outcome of a sum of positions under misère play. The positions may belong to different games.

    References
    ----------
    J. Lemoine, S. Viennot, Analysis of misère Sprouts game with reduced canonical trees (2009).

    Examples
    --------
    >>> from graphgame import parse_position
    >>> MisereSearch(Budget()).wins(parse_position("sprouts(3) + cram(2x3)").components)
    True
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._search = CoupleSearch(self._options, self._positions, budget)
        self._games: dict[tuple[object, ...], _Game] = {}
        self._components: list[tuple[_Game, Hashable]] = []
        self._weights: list[int] = []
        self._moves = CachedOptions(self._options_of_component, budget)
        self._forms = MisereForms()
        self._merged = BoundedCache(self._merge)
        self._form_of: dict[int, int] = {}
        self._play_reached: dict[int, int] = {}
        self._with_fact: set[tuple[int, ...]] = set()

    def wins(self, components: Sequence[Component]) -> bool:
        """Return True if the player to move wins the sum of the components under misère play."""
        parts = []
        for component in components:
            if (game := self._games.get(component.game)) is None:
                game = self._games[component.game] = _Game(component.name, component.ruleset, self._budget)
            parts += [self._number(game, *part) for part in game.parts([component.position])]
        return not self._search.is_lost(self._lines([self._state((), parts)]), 0)

    def _number(self, game: _Game, position: Hashable, weight: int) -> int:
        """Return the number of a component; if the component is new, add it with this weight."""
        number = game.numbers.setdefault(position, len(self._components))
        if number == len(self._components):
            self._components.append((game, position))
            self._weights.append(weight)
        return number

    def _positions(self, text: bytes) -> Hashable:
        """Return the larger components of the sum that ``text`` describes, to name them in a message.

        If there is exactly one, the result is this position, otherwise a tuple of positions.
        """
        positions = tuple(self._components[number][1] for number in _sum_of(text)[1])
        return positions[0] if len(positions) == 1 else positions

    def _options(self, text: bytes) -> Lines:
        forms, large = _sum_of(text)
        return self._lines(dict.fromkeys(self._options_of(forms, large)))

    def _options_of(self, forms: tuple[int, ...], large: tuple[int, ...]) -> Iterator[_State]:
        """Yield the options of a sum: first the moves in forms, then the moves in larger components."""
        # Equal forms, or equal components, have the same options: move only in the first of them.
        for index, form in enumerate(forms):
            unchanged = forms[:index] + forms[index + 1 :]
            for option in self._forms.options[form] if form not in forms[:index] else ():
                yield self._merged[(*unchanged, option)], large
        for index, component in enumerate(large):
            unchanged = large[:index] + large[index + 1 :]
            for parts in self._moves[component] if component not in large[:index] else ():
                yield self._state(forms, parts, unchanged)

    def _options_of_component(self, component: int) -> list[tuple[int, ...]]:
        """Return the distinct options of a component, each as the sorted numbers of its own components.

        Raises LimitError at a limit on time or memory, or if there are too many options.
        """
        self._budget.check(self._search.depth, measured=True)
        game, position = self._components[component]
        sums = (sorted(self._number(game, *part) for part in parts) for parts in game.options(position))
        return list(dict.fromkeys(map(tuple, sums)))

    def _lines(self, states: Iterable[_State]) -> Lines:
        """Return sums as :data:`Lines` for the proof-number search: a line of text and a weight for each sum.

        If a sum is empty, or has only one form and no larger component, its outcome follows from the form. This outcome
        is stored in the proof-number search.
        """
        texts, weights = [], []
        for forms, large in states:
            texts.append(f"{','.join(map(str, forms))};{','.join(map(str, large))}!")
            weights.append(self._weight(forms, large))
            if not large and len(forms) < 2 and forms not in self._with_fact:
                won = self._forms.superscript[forms[0] if forms else 0][0] != 0
                self._search.keep(self._search.number(texts[-1].encode()), _WON if won else _LOST)
                self._with_fact.add(forms)
        text = "\n".join([*texts, ""]).encode()
        return np.frombuffer(text, np.uint8), np.array(weights, np.int64)

    def _weight(self, forms: tuple[int, ...], large: tuple[int, ...]) -> int:
        """Return the weight of a sum: its moves in the low LIVES_BITS bits, its lives in the bits above.

        Both are totals over the larger components. The birthdays of the forms are added to the moves. Only Sprouts has
        lives: a spot has a life for each curve that may still end at it.
        """
        lives = moves = 0
        for component in large:
            lives += self._weights[component] >> LIVES_BITS
            moves += self._weights[component] & _MOVES
        for form in forms:
            moves += self._forms.birthday[form]
        return (lives << LIVES_BITS) + min(moves, _MOVES)

    def _state(self, forms: tuple[int, ...], parts: Iterable[int], large: tuple[int, ...] = ()) -> _State:
        """Return the sum of some forms and of the components ``parts`` and ``large``.

        A component in ``parts`` is replaced by its form, unless play in it may be longer than 8 moves. The components
        in ``large`` are not replaced.
        """
        new_large, new_forms = [], []
        for part in parts:
            form = self._form(part, _LONGEST_PLAY)
            if form is None:
                new_large.append(part)
            elif form:
                new_forms.append(form)
        return self._merged[(*forms, *new_forms)], tuple(sorted((*large, *new_large))) if new_large else large

    def _merge(self, forms: Any) -> tuple[int, ...]:  # noqa: ANN401
        """Add up the forms with short play; return the forms that remain, sorted by the length of their play.

        The two forms with the shortest play are replaced by the form of their sum, again and again, until the play of
        their sum would be longer than 8 moves.
        """
        length = self._forms.birthday
        merged = sorted((form for form in forms if form), key=lambda form: (length[form], form))
        # Canonical forms of sums grow fast, so only sums with short play are computed.
        while len(merged) > 1 and length[merged[0]] + length[merged[1]] <= _LONGEST_PLAY:
            total = self._forms.add(merged[0], merged[1])
            merged = sorted([*merged[2:], *([total] if total else [])], key=lambda form: (length[form], form))
        return tuple(merged)

    def _form(self, component: int, longest: int) -> int | None:
        """Return the canonical form of a component, computing it if no play can be longer than ``longest`` moves.

        Return None if play may be longer, and no earlier call has computed the form.
        """
        form = self._form_of.get(component)
        if form is not None:
            return form
        # Give up if play may be longer than ``longest``. If an earlier call gave up, play may last _play_reached moves,
        # or more. Otherwise play lasts at most (lives - 1) moves: each move reduces the number of lives by 1, and no
        # move can use the last life. (In games other than Sprouts the number of lives is 0, so the first call does not
        # give up here.)
        if self._play_reached.get(component, (self._weights[component] >> LIVES_BITS) - 1) > longest:
            return None
        if component not in self._play_reached:
            self._budget.keep()
            self._budget.visited += 1
        options = set()
        for parts in self._moves[component]:
            # Play from an option is at least one move shorter.
            form = self._form_of_sum(parts, longest - 1) if longest else None
            if form is None:
                self._play_reached[component] = longest + 1
                return None
            options.add(form)
        self._form_of[component] = form = self._forms.form(options)
        return form

    def _form_of_sum(self, parts: Sequence[int], longest: int) -> int | None:
        """Return the canonical form of a sum of components.

        None if a component's form is unknown and its play may be too long, or if the birthdays of the forms exceed
        ``longest`` in total.
        """
        total, length = 0, 0
        for part in parts:
            form = self._form(part, longest - length) if longest >= length else None
            if form is None:
                return None
            length += self._forms.birthday[form]
            total = self._forms.add(total, form) if total and form else total or form
        return total if length <= longest else None


def _sum_of(text: bytes) -> _State:
    """Return the sum that a text describes: the numbers of its forms, ``;``, the numbers of its larger components."""
    forms, large = text[:-1].split(b";")
    return tuple(map(int, forms.split(b",") if forms else ())), tuple(map(int, large.split(b",") if large else ()))
