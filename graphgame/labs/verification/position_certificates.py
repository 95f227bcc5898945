"""Certificates of who wins a position: a few positions with their values, each of which moves justify.

The check knows the rules alone. A loony position, from which a move ends play at once and wins, or in which the player
who just moved has lost, is never listed; moves to it lose. A sum whose parts are all listed has the xor of their
values. A listed position has the value n if some option has each smaller value, and no option has n: an option has
another value than n if it is loony, or is listed so, or if it has an option of its own that is listed with n, which
answers it.

Positions are looked up by ``canonical``. In a game of the catalogue ``canonical`` is trusted: the listed positions
stand for all that are the same by symmetry. In rules of a file it is not: a position that a proof needs is checked
with its own options, whatever ``canonical`` makes of it, and so are all positions below two that cancel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Literal

from graphgame.errors import LimitError, Message, OptionError, shorten
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.io.records import CERTIFICATE, RecordFormat, natural
from graphgame.play.advice import Adviser, Verdict, last_of_first
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.exploration import Remembered
from graphgame.rules.faults import blamed, hashed, iterated, returned
from graphgame.rules.limits import parts_of
from graphgame.rules.position import Component, Position
from graphgame.rules.ruleset import MAX_TRIED, Ruleset, Sum
from graphgame.solution.results import Move

_RECORD = RecordFormat(
    CERTIFICATE.format,
    1,
    {"position": str, "outcome": ("P", "N"), "value": (natural, None), "games": [[str, [[str, natural]]]]},
    Message("write it anew with graphgame search --certificate"),
)

_MOST_COMPARED = 100_000
"""Positions whose options are compared with those of their images."""

_Parts = tuple[Hashable, ...]
Listed = tuple[str, Hashable]
"""A position with the name of its game."""


@dataclass(frozen=True)
class PositionCertificate:
    """Who wins a position, and the values that prove it, as a file holds them.

    Attributes
    ----------
    position : str
        The position in the notation.
    outcome : {"P", "N"}
    value : int or None
        The Grundy value, if it is proved.
    games : list
        For each game its name, and the texts of the listed positions with their values.
    """

    position: str
    outcome: Literal["P", "N"]
    value: int | None
    games: list[tuple[str, list[tuple[str, int]]]]

    def __len__(self) -> int:
        return sum(len(rows) for _, rows in self.games)

    def write(self, path: PathLike) -> None:
        """Write the file, whole or not at all."""
        with open_atomic(path) as stream:
            stream.write(_RECORD.dumps(asdict(self)) + "\n")

    def fault(self, position: Position) -> str | None:
        """Return what is wrong, or lacks for a proof about a position, in words; None if it is right."""
        if (decided := position.decided) is not None:
            if self.outcome == decided:
                return None
            return Message("{position!r} is {decided}: play is over there", self.position, decided)
        listed = ListedValues(self, position)
        if listed.is_loony(position):
            at_once = self.outcome == "N" and self.value is None
            return None if at_once else Message("{position!r} is loony: it is N, and has no value", self.position)
        total = listed.total(position)
        if self.value is not None and total != self.value:
            return Message("{position!r} is not listed with the value {value}", self.position, self.value)
        if self.outcome != ("P" if total == 0 else "N") and (total is not None or self.outcome == "P"):
            return Message("{position!r} is not listed as {outcome}", self.position, self.outcome)
        parts = position.components
        if total is None:
            found = listed.winning_move(position)
            if found is None:
                return Message(
                    "no move from {position!r} leads to positions that are listed with the nim-sum 0", self.position
                )
            place, option = found
            parts = (*parts[:place], parts[place]._replace(position=option), *parts[place + 1 :])
        return next(listed.faults(parts), None)

    def listing(self, position: Position) -> str:
        """Return the listed positions with the options that the rules give them, for a checker without rules.

        The first line says what the text is. The next ones are the claim, the start, and the winning move if it needs
        one; then each listed position, with its options and the moves that answer them. Positions are numbers.

        Raises
        ------
        OptionError
            A move ends play at once in one of the games: a position is then no sum of its parts.

        Examples
        --------
        >>> from graphgame import parse_position
        >>> certificate = PositionCertificate("nim(1)", "N", 1, [("nim", [("1", 1), ("0", 0)])])
        >>> print(certificate.listing(parse_position("nim(1)")))
        graphgame listing
        claim N 1
        start 0
        value 1 nim 1
        option 1
        value 0 nim 0
        <BLANKLINE>
        """
        if any(part.ruleset.decides for part in position.components):
            raise OptionError("{position!r} has moves that end play at once, which is not proved", self.position)
        claim = f"claim {self.outcome}" + ("" if self.value is None else f" {self.value}")
        return "\n".join(["graphgame listing", claim, *ListedValues(self, position).lines(position), ""])


class ListedValues:
    """The positions that a certificate lists, ready to be looked up."""

    def __init__(self, certificate: PositionCertificate, position: Position) -> None:
        games = {game_text(part): part.ruleset for part in position.components}
        self._games: dict[str, _Game] = {}
        for name, rows in certificate.games:
            if name not in games:
                about, other = shorten(certificate.position), shorten(str(position))
                raise OptionError("the certificate is about {about}, not about {other}", about, other)
            self._games[name] = _Game(name, games[name], rows)

    def total(self, position: Position) -> int | None:
        """Return the nim-sum of a position, if all components are listed but pairs of equal ones, and none is loony."""
        return None if self.is_loony(position) else self._value(self._parts(position.components))

    def is_loony(self, position: Position) -> bool:
        """Tell whether the player to move wins a position at once."""
        parts = ((part.ruleset, game_text(part), part.position) for part in position.components)
        return any(_Game(name, rules, []).is_loony(at) for rules, name, at in parts if rules.decides)

    def winning_move(self, position: Position) -> tuple[int, Hashable] | None:
        """Return a component and an option of it that leave listed positions of the nim-sum 0."""
        return next(((place, option) for place, option, _ in self._winning_moves(position)), None)

    def shown(self, start: Position) -> tuple[list[Listed], dict[Listed, tuple[int | None, set[_Parts]]]]:
        """Return the components of a position, and all that come up where the winner plays by what is listed.

        Each has its value and its options; one that is not listed has those alone that the winner takes.
        """
        found: dict[Listed, tuple[int | None, set[_Parts]]] = {}
        first = self._parts(start.components)
        waiting = [*first]
        if self.total(start) is None:
            for place, _, parts in self._winning_moves(start):
                name = game_text(start.components[place])
                for part in self._games[name].parts(start.components[place].position):
                    found.setdefault((name, part), (None, set()))[1].add(parts)
                waiting += [(name, each) for each in parts]
        while waiting:
            name, part = waiting.pop()
            game, key = self._games[name], (name, part)
            value = game.value((part,))
            if key in found or value is None:
                found.setdefault(key, (value, set()))
                continue
            found[key] = value, {*game.options(part)}
            for parts in found[key][1]:
                waiting += [(name, each) for each in parts]
                for answered, option in game.answers(parts, value) if game.value(parts) is None else ():
                    found.setdefault((name, answered), (None, set()))[1].add(option)
                    waiting += [(name, each) for each in option]
        return [each for each in self._in_order(start.components) if each in first], found

    def _in_order(self, components: Iterable[Component]) -> Iterator[Listed]:
        for part in components:
            name = game_text(part)
            yield from ((name, each) for each in self._games[name].parts(part.position))

    def _winning_moves(self, position: Position) -> Iterator[tuple[int, Hashable, _Parts]]:
        for place, part in enumerate(position.components):
            game = _Game(game_text(part), part.ruleset, [])
            yield from ((place, end, parts) for end, parts in game.moves(part.position) if game.wins(end))
        if self.is_loony(position):
            return
        for place, part in enumerate(position.components):
            name = game_text(part)
            rest = self._parts(position.components[:place] + position.components[place + 1 :])
            moves = self._games[name].moves(part.position) if name in self._games else ()
            for option, parts in moves:
                left = rest.symmetric_difference((name, each) for each in parts)
                if self._value(left) == 0 and not self._games[name].is_loony(option):
                    yield place, option, parts

    def lines(self, start: Position) -> Iterator[str]:
        """Yield the lines of a listing after its claim."""
        sums = [self._raw(start.components)]
        if self.total(start) is None and (found := self.winning_move(start)) is not None:
            place, option = found
            left = start.components[place]._replace(position=option)
            sums.append(self._raw((*start.components[:place], left, *start.components[place + 1 :])))
        rows: dict[Listed, list[tuple[list[Listed], list[Listed] | None]]] = {}
        waiting = [(name, part) for name, game in self._games.items() for part in game.used()] + _odd(sums[-1])
        while waiting:
            name, part = waiting.pop()
            value = self._games[name].listed(part) if name in self._games else None
            if value is None or (name, part) in rows:
                continue
            rows[name, part] = []
            for parts, answer in self._games[name].answered_options(part, value):
                used = [(name, each) for each in (parts if answer is None else answer)]
                rows[name, part].append(([(name, each) for each in parts], None if answer is None else used))
                waiting += _odd(used)
        numbers = {each: number for number, each in enumerate(rows)}

        def text(word: str, parts: Iterable[Listed]) -> str:
            return " ".join([word, *(str(numbers.setdefault(each, len(numbers))) for each in parts)])

        yield from map(text, ("start", "move"), sums)
        for (name, part), options in rows.items():
            yield f"value {self._games[name].listed(part)} {self._games[name].line(part)}"
            yield from (text("option", own) + ("" if answer is None else text(" :", answer)) for own, answer in options)

    def _raw(self, components: Iterable[Component]) -> list[Listed]:
        found: list[Listed] = []
        for part in components:
            name = game_text(part)
            parts = self._games[name].raw(part.position) if name in self._games else (part.position,)
            found += [(name, each) for each in parts]
        return found

    def faults(self, used: Sequence[Component]) -> Iterator[str]:
        """Yield what is wrong with the values that are listed, and with those of components."""
        for name, game in self._games.items():
            game.use([part for each in used if game_text(each) == name for part in game.raw(each.position)])
            yield from game.faults()

    def _parts(self, components: Iterable[Component]) -> frozenset[tuple[str, Hashable]]:
        """Return the canonical parts with their games, without pairs of equal ones."""
        found: set[tuple[str, Hashable]] = set()
        for part in components:
            name = game_text(part)
            parts = self._games[name].parts(part.position) if name in self._games else (part.position,)
            found ^= {(name, each) for each in parts}
        return frozenset(found)

    def _value(self, parts: Iterable[tuple[str, Hashable]]) -> int | None:
        return _sum(self._games[name].value((part,)) if name in self._games else None for name, part in parts)


class _Game:
    """The listed positions of one game."""

    def __init__(self, name: str, ruleset: Ruleset, rows: list[tuple[str, int]]) -> None:
        if ruleset.loopy:
            raise OptionError("{name} may repeat a position: a certificate needs play that ends", name)
        self._name = name
        self._ruleset = ruleset
        self._decides = ruleset.decides
        self._canonical = Remembered(self._image).__getitem__
        self._trusted = name.partition("{")[0] in CATALOGUE and type(ruleset).__module__.startswith("graphgame.")
        self.options = Remembered(self._distinct).__getitem__
        self._raw_options = Remembered(self._distinct_raw).__getitem__
        self._values: dict[Hashable, int] = {}
        self._used: dict[Hashable, None] = {}
        self._equal: dict[Hashable, None] = {}
        for text, value in rows:
            with blamed(name, Message("the text {text!r}", text)):
                position = ruleset.parse(text)
                parts = self.parts(position)
            if len(parts) != 1:
                raise OptionError("{text!r} is not one position of {name}", text, name)
            self._values[parts[0]] = value
            self.use(self.raw(position))

    def value(self, parts: Iterable[Hashable]) -> int | None:
        """Return the value of a sum whose parts are all listed, but pairs of equal ones."""
        return _sum(map(self._values.get, self._split(parts)))

    def listed(self, part: Hashable) -> int | None:
        """Return the value that a position is listed with."""
        return self._values.get(self._canonical(part))

    def used(self) -> _Parts:
        """Return the listed positions, and those that a proof uses, as far as they are noted."""
        return tuple(self._used)

    def line(self, part: Hashable) -> str:
        """Return the game and the text of a position on one line."""
        return " ".join(f"{self._name} {self._text(part)}".split())

    def answered_options(self, part: Hashable, value: int) -> Iterator[tuple[_Parts, _Parts | None]]:
        """Yield the options, each with the sum of this value that a move leaves of it where its own is not listed."""
        for parts in self._raw_options(part):
            known = self.value(parts)
            yield parts, None if known is not None else next((left for *_, left in self._answered(parts, value)), None)

    def raw(self, position: Hashable) -> _Parts:
        """Return the parts of a position: as they are, unless their images may stand for them."""
        parts = position if type(position) is Sum else (position,)
        return tuple(map(self._canonical, parts)) if self._trusted else tuple(parts)

    def use(self, parts: Iterable[Hashable]) -> None:
        """Note parts of whose listed value, or of pairs of whose equality, a proof makes use."""
        odd = [part for part, count in Counter(parts).items() if count % 2]
        images = Counter(map(self._canonical, odd))
        for part in odd:
            # Different parts with one image cancel only if their values are equal.
            alone = images[self._canonical(part)] == 1
            (self._used if alone or self._canonical(part) in self._values else self._equal)[part] = None

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with the positions that are used, and with those that they use in turn."""
        checked: set[Hashable] = set()
        while self._used:
            position = self._used.popitem()[0]
            if position not in checked:
                checked.add(position)
                yield from self._faults_of(position, self._values[self._canonical(position)])
        yield from self._false_images()

    def _faults_of(self, position: Hashable, value: int) -> Iterator[str]:
        if self.is_loony(position):
            yield Message(
                "{position!r} is listed, but it is loony: a move ends play, or it is over", self._text(position)
            )
        seen = set()
        for parts in self._raw_options(position):
            known, used = self.value(parts), parts
            if known is None:
                used = next((whole for _, _, whole in self._answered(parts, value)), None)
            seen.add(known)
            if known == value or used is None:
                said = " + ".join(shorten(self._text(part)) for part in parts) or Message("the end")
                yield Message(
                    "{position!r}: the option {option} may have the same value, {value}",
                    self._text(position),
                    said,
                    value,
                )
            else:
                self.use(used)
        if lacking := set(range(value)) - seen:
            yield Message(
                "{position!r} has no listed option of the value {first}, below {value}",
                self._text(position),
                min(lacking),
                value,
            )

    def _false_images(self) -> Iterator[str]:
        """Yield that an image has other options, of the positions that are to be equal and of all below them.

        If none has, then by induction over the length of play each position has the value of its image.
        """
        if self._trusted:
            return
        checked: set[Hashable] = set()
        while self._equal:
            position = self._equal.popitem()[0]
            if position in checked:
                continue
            checked.add(position)
            if len(checked) > _MOST_COMPARED:
                yield Message(
                    "{name}: more than {most:,} positions below two that cancel: too many to compare",
                    self._name,
                    _MOST_COMPARED,
                )
                return
            image = self._canonical(position)
            below, others = self._raw_options(position), self._raw_options(image)
            loony = self.is_loony(position) != self.is_loony(image)
            if loony or {frozenset(self._split(each)) for each in below} != {
                frozenset(self._split(each)) for each in others
            }:
                yield Message(
                    "{position!r} has other options than its canonical {image!r}",
                    self._text(position),
                    self._text(image),
                )
            self._equal |= dict.fromkeys([image, *chain.from_iterable(below)])

    def parts(self, position: Hashable) -> _Parts:
        """Return the canonical parts of a position, without pairs of equal ones."""
        return tuple(self._split(position if type(position) is Sum else (position,)))

    def _split(self, parts: Iterable[Hashable]) -> dict[Hashable, Hashable]:
        """Return the images of parts, without pairs of equal ones, each with a part."""
        found: dict[Hashable, Hashable] = {}
        for part in parts:
            image = self._canonical(part)
            if image in found:
                del found[image]
            else:
                found[image] = part
        return found

    def moves(self, position: Hashable) -> Iterator[tuple[Hashable, _Parts]]:
        """Yield the options of a position, each with its parts."""
        return ((option, self.parts(option)) for option in self._tried(position))

    def _tried(self, position: Hashable) -> Iterator[Hashable]:
        with blamed(self._name, Message("the options"), position, method=self._ruleset.options):
            for tried, option in enumerate(iterated(self._ruleset.options(position), position)):
                if tried == MAX_TRIED:
                    raise LimitError(
                        "{position!r} has too many options to try each: more than {max_tried:,}", position, MAX_TRIED
                    )
                yield option

    def _distinct(self, position: Hashable) -> list[_Parts]:
        return list(dict.fromkeys(map(self.parts, self._going_on(position))))

    def _distinct_raw(self, position: Hashable) -> list[_Parts]:
        return list(dict.fromkeys(map(self.parts if self._trusted else self.raw, self._going_on(position))))

    def _going_on(self, position: Hashable) -> Iterator[Hashable]:
        return (option for option in self._tried(position) if not self.is_loony(option))

    def wins(self, option: Hashable) -> bool:
        """Tell whether the move to an option ended play and won."""
        return self._decides and any(self._ruleset.decided(part) == "P" for part in parts_of(option))

    def is_loony(self, option: Hashable) -> bool:
        """Tell whether the mover has won at a position or a sum already, or wins by a move that ends play."""
        for part in parts_of(option) if self._decides else ():
            decided = self._ruleset.decided(part)
            if decided == "N" or (decided is None and any(map(self.wins, self._tried(part)))):
                return True
        return False

    def answers(self, parts: _Parts, value: int) -> Iterator[tuple[Hashable, _Parts]]:
        """Yield the options of a sum's parts that leave the sum listed with a value."""
        return ((part, self.parts(Sum(option))) for part, option, _ in self._answered(parts, value))

    def _answered(self, parts: _Parts, value: int) -> Iterator[tuple[Hashable, _Parts, _Parts]]:
        """Yield a part, an option of it, and the sum that it leaves, where that is listed with a value."""
        for place, part in enumerate(parts):
            rest = parts[:place] + parts[place + 1 :]
            for option in self._raw_options(part):
                if self.value(whole := (*rest, *option)) == value:
                    yield part, option, whole

    def _image(self, position: Hashable) -> Hashable:
        with blamed(self._name, Message("the canonical form"), position):
            return hashed(self._ruleset.canonical(position))

    def _text(self, position: Hashable) -> str:
        return returned(self._ruleset.format(position), str)


def _odd(parts: Iterable[Listed]) -> list[Listed]:
    return [part for part, count in Counter(parts).items() if count % 2]


def game_text(part: Component) -> str:
    """Return what tells the game of a component from others: its name, and its arguments."""
    return f"{part.name}{{{part.ruleset.arguments}}}" if part.ruleset.arguments else part.name


def _sum(values: Iterable[int | None]) -> int | None:
    total = 0
    for value in values:
        if value is None:
            return None
        total ^= value
    return total


def read_position_certificate(path: PathLike) -> PositionCertificate:
    """Return the certificate that a file holds.

    Raises
    ------
    ParseError
        It holds none, or is damaged.
    OSError
        It cannot be read.
    """
    with Source(path) as source:
        return PositionCertificate(**_RECORD.loads(next(source.lines(), ""), source.name))


class ByCertificate(Adviser):
    """A certificate lists what the winner leaves; where it lists nothing, it is the loser who has to move.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> from graphgame.labs.search import Search
    >>> position = parse_position("cram(3x4)")
    >>> ByCertificate(Search(position).certificate(), position).best_move(position).end
    cram(..../.##./....)
    """

    def __init__(self, certificate: PositionCertificate, start: Position) -> None:
        self._listed = ListedValues(certificate, start)

    def verdict(self, position: Position) -> Verdict:
        """Return who wins; raise a LimitError where the winner left the way that is listed."""
        if self._listed.total(position) == 0:
            return Verdict("P", None)
        if self._listed.winning_move(position) is None:
            raise LimitError("the certificate does not tell who wins here: the winner left its way")
        return Verdict("N", None)

    def best_move(self, position: Position) -> Move | None:
        """Return the move that the certificate justifies, else any."""
        found = self._listed.winning_move(position)
        if found is None:
            return last_of_first(position)
        start = position.components[found[0]]
        return Move(found[0], start, start._replace(position=found[1]))
