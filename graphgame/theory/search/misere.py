"""The search under misère play: who wins a sum, where values of its components do not tell.

What a component is worth in sums is its misère canonical form. Those of components whose play is short are found: equal
ones have one number, and sums of them that stay short are added up. What is remembered is who wins a sum of such forms
and of larger components.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from graphgame.errors import CycleError, LimitError, RulesetError, shorten
from graphgame.rules.exploration import Remembered
from graphgame.rules.faults import blamed, hashed, iterated
from graphgame.rules.position import Component
from graphgame.rules.ruleset import MAX_TRIED, Ruleset, Sum, tells
from graphgame.theory.misere.forms import MisereForms
from graphgame.theory.search.limits import Allowance

__all__ = ["MisereSearch"]

_LONGEST = 8
"""The longest play of components, and of sums of them, whose forms are found."""


class _Game:
    """The rules of some components, and the forms of their positions."""

    def __init__(self, name: str, ruleset: Ruleset, look: Callable[[], None], most_cached: int) -> None:
        if ruleset.loopy:
            raise RulesetError(f"{name} may repeat a position: a search needs play that ends")
        self.forms: dict[Hashable, int] = {}
        self.longer: dict[Hashable, int] = {}
        self._name = name
        self._ruleset = ruleset
        self._look = look
        self._most_cached = most_cached
        self._options: dict[Hashable, list[tuple[Hashable, ...]]] = {}
        self._cached = 0
        self.image = Remembered(self._canonical).__getitem__
        self.moves = Remembered(self._mobility).__getitem__ if tells(ruleset, "mobility") else lambda position: 0

    def options(self, position: Hashable) -> list[tuple[Hashable, ...]]:
        """Return the distinct options of a canonical position, each with all its components."""
        found = self._options.get(position)
        if found is None:
            self._look()
            found = list({frozenset(Counter(parts).items()): parts for parts in self._each(position)}.values())
            self._cached += len(found)
            if self._cached > self._most_cached:
                self._options.clear()
                self._cached = len(found)
            self._options[position] = found
        return found

    def _each(self, position: Hashable) -> Iterator[tuple[Hashable, ...]]:
        with blamed(self._name, "the options", position, method=self._ruleset.options):
            for tried, option in enumerate(iterated(self._ruleset.options(position), position)):
                if tried == MAX_TRIED:
                    raise LimitError(f"{shorten(position)} has too many options to try each: more than {MAX_TRIED:,}")
                yield tuple(map(self.image, option)) if type(option) is Sum else (self.image(option),)

    def _canonical(self, position: Hashable) -> Hashable:
        with blamed(self._name, "the canonical form", position):
            return hashed(self._ruleset.canonical(position))

    def _mobility(self, position: Hashable) -> int:
        with blamed(self._name, "the number of moves", position):
            return self._ruleset.mobility(position)


_Part = tuple[_Game, Hashable]
_State = tuple[tuple[int, ...], frozenset[tuple[_Part, int]]]
"""Forms in order, and how often each larger component is there."""


class MisereSearch:
    """A search for who wins a sum of positions of any games under misère play.

    Attributes
    ----------
    outcomes : dict
        For each sum that was decided whether the player to move wins.

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
        self.outcomes: dict[_State, bool] = {}
        self._allowance = allowance
        self._forms = MisereForms()
        self._games: dict[tuple[object, ...], _Game] = {}
        self._stack: list[tuple[_State, Iterator[_State]]] = []

    def wins(self, components: Sequence[Component]) -> bool:
        """Tell whether the player to move wins."""
        parts = []
        for component in components:
            if (game := self._games.get(component.game)) is None:
                game = _Game(component.name, component.ruleset, self._look, self._allowance.most_cached)
                self._games[component.game] = game
            parts.append((game, game.image(component.position)))
        state = self._state((), parts)
        known = self._known(state)
        return self._decide(state) if known is None else known

    def _look(self) -> None:
        """Count a position whose options are looked at, and tell the time."""
        self._allowance.look(len(self._stack), measured=True)
        self._allowance.visited += 1

    def _decide(self, start: _State) -> bool:
        stack = self._stack = [(start, self._open(start))]
        path = {start}
        while True:
            state, options = stack[-1]
            option = next((option for option in options if not self._known(option)), None)
            if option is not None and self._known(option) is None:
                if option in path:
                    raise CycleError([part[1] for part, _ in option[1]])
                path.add(option)
                stack.append((option, self._open(option)))
                continue
            wins = option is not None
            while True:  # whoever moves to a lost sum wins
                self._allowance.keep()
                self.outcomes[state] = wins
                path.remove(state)
                stack.pop()
                if not stack:
                    return wins
                if wins:
                    break
                wins, (state, _) = True, stack[-1]

    def _known(self, state: _State) -> bool | None:
        forms, large = state
        if not large and len(forms) < 2:
            return self._forms.superscript[forms[0] if forms else 0][0] != 0
        return self.outcomes.get(state)

    def _open(self, state: _State) -> Iterator[_State]:
        """Return the options of a sum, those first that have few moves."""
        return iter(sorted(dict.fromkeys(self._options(state)), key=self._weight))

    def _options(self, state: _State) -> Iterator[_State]:
        forms, large = state
        for place, form in enumerate(forms):
            rest = forms[:place] + forms[place + 1 :]
            for option in self._forms.options[form] if form not in rest[:place] else ():
                yield self._added(rest, [option]), large
        for part, times in large:
            left = Counter(dict(large))
            left[part] = times - 1
            game, position = part
            for parts in game.options(position):
                yield self._state(forms, [*left.elements(), *((game, each) for each in parts)])

    def _weight(self, state: _State) -> tuple[int, int]:
        forms, large = state
        moves = sum(game.moves(position) * times for (game, position), times in large)
        return moves, sum(self._forms.birthday[form] for form in forms)

    def _state(self, forms: tuple[int, ...], parts: Iterable[_Part]) -> _State:
        """Return a sum, with the forms of those parts whose play is short."""
        large: Counter[_Part] = Counter()
        found = []
        for part in parts:
            form = self._form(*part, _LONGEST)
            if form is None:
                large[part] += 1
            else:
                found.append(form)
        return self._added(forms, found), frozenset(large.items())

    def _added(self, forms: tuple[int, ...], more: Sequence[int]) -> tuple[int, ...]:
        """Return forms in order, the shortest added up."""
        length = self._forms.birthday
        left = sorted((form for form in (*forms, *more) if form), key=lambda form: (length[form], form))
        while len(left) > 1 and length[left[0]] + length[left[1]] <= _LONGEST:
            total = self._forms.add(left[0], left[1])
            left = sorted([*left[2:], *([total] if total else [])], key=lambda form: (length[form], form))
        return tuple(left)

    def _form(self, game: _Game, position: Hashable, longest: int) -> int | None:
        """Return the form of a position, if no play from it is longer than told."""
        if position in game.forms:
            return game.forms[position]
        if game.longer.get(position, -1) >= longest:
            return None
        if position not in game.longer:
            self._allowance.keep()
        found = set()
        for parts in game.options(position):
            form = self._form_of_sum(game, parts, longest - 1) if longest else None
            if form is None:
                game.longer[position] = longest
                return None
            found.add(form)
        game.forms[position] = form = self._forms.form(found)
        return form

    def _form_of_sum(self, game: _Game, parts: Sequence[Hashable], longest: int) -> int | None:
        total, length = 0, 0
        for part in parts:
            form = self._form(game, part, longest - length) if longest >= length else None
            if form is None:
                return None
            length += self._forms.birthday[form]
            total = self._forms.add(total, form) if total and form else total or form
        return total if length <= longest else None
