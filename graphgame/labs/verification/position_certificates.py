"""Certificates of who wins a position: a few positions with their values, each justified by its moves.

The check uses only the rules of the game. It proves these claims:

- A listed position has the value n if, for each smaller value, some option has that value, and no option has n.
- An option does not have the value n if it is loony, if it is listed with another value, or if it has an option of its
  own that is listed with n (the reply to the move).
- A sum whose parts are all listed has the xor of their values.

A position is loony if the player to move wins at once: either a move ends play and wins, or the player who just moved
has already lost. A loony position is never listed; moving to it loses.

Positions are looked up by their canonical form. For a game of the catalogue, ``canonical`` is trusted: a listed
position stands for every position that is equal to it by symmetry. For rules from a user's file, ``canonical`` is not
trusted. There, every position that the proof uses is checked with its own options. If two different positions with the
same canonical form cancel in a sum, then these two, and every position that moves reach from them, must have the same
options as their canonical forms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Literal

from graphgame.errors import LimitError, Message, ParameterError, shorten
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.io.other_formats import CERTIFICATE
from graphgame.labs.records import RecordFormat, natural
from graphgame.play.match import Adviser, Verdict, last_of_first
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.exploration import BoundedCache
from graphgame.rules.position import Component, Position
from graphgame.rules.rule_errors import hashed, iterated, returned, rule_errors
from graphgame.rules.ruleset import MAX_TRIED, Ruleset, Sum, parts_of
from graphgame.solution.results import Move

_RECORD = RecordFormat(
    CERTIFICATE.format,
    1,
    {"position": str, "outcome": ("P", "N"), "value": (natural, None), "games": [[str, [[str, natural]]]]},
    Message("write it again with graphgame search --certificate"),
)

_MOST_COMPARED = 100_000
"""The maximum number of positions whose options are compared with the options of their canonical forms."""

_Parts = tuple[Hashable, ...]
Listed = tuple[str, Hashable]
"""A pair: the text of a game (its name and arguments), and a position of this game."""


@dataclass(frozen=True)
class PositionCertificate:
    """Who wins a position, and the values that prove it: the content of a certificate file.

    Attributes
    ----------
    position : str
        The position, in the package's notation.
    outcome : {"P", "N"}
    value : int or None
        The Grundy value; None if only the outcome is proved.
    games : list
        For each game its name with arguments, and a list of pairs (text of a position, its value).
    """

    position: str
    outcome: Literal["P", "N"]
    value: int | None
    games: list[tuple[str, list[tuple[str, int]]]]

    def __len__(self) -> int:
        return sum(len(rows) for _, rows in self.games)

    def write(self, path: PathLike) -> None:
        """Write the certificate to a file. If that fails, no partial file is left."""
        with open_atomic(path) as stream:
            stream.write(_RECORD.dumps(asdict(self)) + "\n")

    def fault(self, position: Position) -> str | None:
        """Return a sentence that says why the certificate does not prove its claim; None if it proves the claim.

        ``position`` is the position that the certificate names, with its rules. The errors are those of
        :class:`ListedValues`.
        """
        if (decided := position.decided) is not None:
            if self.outcome == decided and self.value is None:
                return next(ListedValues(self, position).faults(()), None)
            return Message(
                "the certificate has the wrong outcome or value: play is over at {position!r}, so it is {outcome} and "
                "has no value",
                self.position,
                decided,
            )
        listed = ListedValues(self, position)
        if listed.is_loony(position):
            if self.outcome == "N" and self.value is None:
                return next(listed.faults(()), None)
            return Message(
                "the certificate has the wrong outcome or value: {position!r} is loony, so it is N and has no value",
                self.position,
            )
        total = listed.total(position)
        if self.value is not None and total != self.value:
            return Message("the listed values do not give {position!r} the value {value}", self.position, self.value)
        if self.outcome != ("P" if total == 0 else "N") and (total is not None or self.outcome == "P"):
            return Message("the listed values do not prove that {position!r} is {outcome}", self.position, self.outcome)
        # The claim follows from the listed values of the position, or of the position after a winning move. It remains
        # to check the listed values themselves.
        parts = position.components
        if total is None:
            move = listed.winning_move(position)
            if move is None:
                return Message(
                    "no move from {position!r} leads to positions whose listed values have the nim-sum 0", self.position
                )
            parts = _after(parts, *move)
        return next(listed.faults(parts), None)

    def listing(self, position: Position) -> str:
        """Return the proof as text for a checker that does not know the rules: every position with its options.

        The first two lines are the format and the claim. The line ``start`` has the parts of the start. If the listed
        values do not give its value, a line ``move`` has all parts after a winning move. Then each listed position has
        a line ``value`` with its value, game and text, and for each option a line ``option`` with the parts of the
        option. If the option has no listed value, this line also has a colon and all parts after a reply. Each part is
        written as a number: listed positions have the numbers from 0 on, in the order of their lines; all other parts
        have larger numbers.

        Raises
        ------
        ParameterError
            In one of the games a move can end play at once, so values of single components do not tell who wins.
        ParameterError, ParseError
            The certificate does not fit the position; see :class:`ListedValues`.

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
        if position.decides:
            raise ParameterError(
                "in play from {position!r} a move can end play at once, so a list of values cannot prove who wins",
                self.position,
            )
        claim = f"claim {self.outcome}" + ("" if self.value is None else f" {self.value}")
        return "\n".join(["graphgame listing", claim, *ListedValues(self, position).lines(position), ""])


class ListedValues:
    """The positions that a certificate lists, looked up game by game.

    Raises ParameterError if the certificate lists a game that does not occur in the position, or a sum in place of a
    single position, or if a game may repeat a position. Raises ParseError if a listed text is not a position.
    """

    def __init__(self, certificate: PositionCertificate, position: Position) -> None:
        games = {game_text(part): part.ruleset for part in position.components}
        listed = dict(certificate.games)
        if not listed.keys() <= games.keys():
            about, other = shorten(certificate.position), shorten(str(position))
            raise ParameterError("the certificate is about {about}, not about {other}", about, other)
        self._games = {name: _Game(name, ruleset, listed.get(name, [])) for name, ruleset in games.items()}

    def total(self, position: Position) -> int | None:
        """Return the nim-sum of a position by the listed values; None if a component is loony or not listed.

        Pairs of equal components cancel, and need not be listed.
        """
        return None if self.is_loony(position) else self._value(self._parts(position.components))

    def is_loony(self, position: Position) -> bool:
        """Return True if the player to move wins at once in some component."""
        return any(self._games[game_text(part)].is_loony(part.position) for part in position.components)

    def winning_move(self, position: Position) -> tuple[int, Hashable] | None:
        """Return a winning move as (component index, new position of that component); None if none is proved.

        The move ends play and wins, or the parts that it leaves are listed (except pairs of equal parts, which cancel)
        and have the nim-sum 0.
        """
        return next(((index, option) for index, option, _ in self._winning_moves(position)), None)

    def shown(self, start: Position) -> tuple[list[Listed], dict[Listed, tuple[int | None, set[_Parts]]]]:
        """Return the parts of ``start``, and a dictionary of the positions that occur if the winner follows the proof.

        Pairs of equal parts of ``start`` are left out. The dictionary maps each position to a pair: its value and the
        set of its options, each as the tuple of its canonical parts. A listed position has all its options, except
        loony ones. A position that is not listed has the value None, and only the options to which the winner may move.
        """
        reached: dict[Listed, tuple[int | None, set[_Parts]]] = {}
        first = self._parts(start.components)
        waiting = [*first]
        if self.total(start) is None:
            for index, _, parts in self._winning_moves(start):
                name = game_text(start.components[index])
                for part in self._games[name].parts(start.components[index].position):
                    reached.setdefault((name, part), (None, set()))[1].add(parts)
                waiting += [(name, each) for each in parts]
        # At a listed position the loser may make any move, so all its options are added. At an unlisted option the
        # winner is to move, so only the replies that restore the value are added.
        while waiting:
            name, part = waiting.pop()
            game, key = self._games[name], (name, part)
            value = game.value((part,))
            if key in reached or value is None:
                reached.setdefault(key, (value, set()))
                continue
            reached[key] = value, {game.parts(Sum(option)) for option in game.raw_options(part)}
            for parts in reached[key][1]:
                waiting += [(name, each) for each in parts]
                for answered, reply, _ in game.answers(parts, value) if game.value(parts) is None else ():
                    option = game.parts(Sum(reply))
                    reached.setdefault((name, answered), (None, set()))[1].add(option)
                    waiting += [(name, each) for each in option]
        return _odd(self._split(start.components)), reached

    def _winning_moves(self, position: Position) -> Iterator[tuple[int, Hashable, _Parts]]:
        """Yield each proved winning move: (component index, option of the component, canonical parts of the option)."""
        for index, part in enumerate(position.components):
            game = self._games[game_text(part)]
            yield from ((index, end, parts) for end, parts in game.moves(part.position) if game.wins(end))
        if self.is_loony(position):
            return
        for index, part in enumerate(position.components):
            name = game_text(part)
            others = self._parts(position.components[:index] + position.components[index + 1 :])
            for option, parts in self._games[name].moves(part.position):
                after = others.symmetric_difference((name, each) for each in parts)
                if self._value(after) == 0 and not self._games[name].is_loony(option):
                    yield index, option, parts

    def lines(self, start: Position) -> Iterator[str]:
        """Yield the lines of a listing after the claim; see :meth:`PositionCertificate.listing`."""
        sums = [[*self._split(start.components, raw=True)]]
        if self.total(start) is None and (move := self.winning_move(start)) is not None:
            sums.append([*self._split(_after(start.components, *move), raw=True)])
        rows: dict[Listed, list[tuple[list[Listed], list[Listed] | None]]] = {}
        waiting = [(name, part) for name, game in self._games.items() for part in game.used] + _odd(sums[-1])
        while waiting:
            name, part = waiting.pop()
            value = self._games[name].listed(part)
            if value is None or (name, part) in rows:
                continue
            rows[name, part] = []
            game = self._games[name]
            for parts in game.raw_options(part):
                replies = game.answers(parts, value) if game.value(parts) is None else iter(())
                answer = next((after for *_, after in replies), None)
                used = [(name, each) for each in (parts if answer is None else answer)]
                rows[name, part].append(([(name, each) for each in parts], None if answer is None else used))
                waiting += _odd(used)
        # Listed positions are numbered in the order of their rows. Any other position gets the next number when it is
        # first written.
        numbers = {each: number for number, each in enumerate(rows)}

        def text(word: str, parts: Iterable[Listed]) -> str:
            return " ".join([word, *(str(numbers.setdefault(each, len(numbers))) for each in parts)])

        yield from map(text, ("start", "move"), sums)
        for (name, part), options in rows.items():
            yield f"value {self._games[name].listed(part)} {self._games[name].line(part)}"
            yield from (text("option", own) + ("" if answer is None else text(" :", answer)) for own, answer in options)

    def faults(self, used: Sequence[Component]) -> Iterator[str]:
        """Check the listed values, and the values of the components in ``used``; yield a sentence for each fault.

        The claim of the certificate relies on the values of these components.
        """
        for name, game in self._games.items():
            game.use([part for each in used if game_text(each) == name for part in game.raw(each.position)])
            yield from game.faults()

    def _parts(self, components: Iterable[Component]) -> frozenset[Listed]:
        """Return the canonical parts of the components, with their games, without pairs of equal parts."""
        return frozenset(_odd(self._split(components)))

    def _split(self, components: Iterable[Component], *, raw: bool = False) -> Iterator[Listed]:
        """Yield the canonical parts of components with their games, without pairs of equal parts of one component.

        With ``raw``, yield all parts; they are canonical only in a game whose ``canonical`` is trusted.
        """
        for part in components:
            name = game_text(part)
            game = self._games[name]
            yield from ((name, each) for each in (game.raw if raw else game.parts)(part.position))

    def _value(self, parts: Iterable[Listed]) -> int | None:
        """Return the xor of the listed values of the parts; None if one is not listed."""
        return _sum(self._games[name].value((part,)) for name, part in parts)


class _Game:
    """The listed positions of one game, and the positions that the proof still has to check.

    Raises ParameterError if the game may repeat a position, or if a row names a sum in place of a single position;
    ParseError if a row does not name a position.
    """

    # Values are stored by the canonical form of a position (its "image"). ``used`` has positions on whose listed value
    # the proof relies. ``_equal`` has positions that cancelled only because their images are equal. Positions in
    # ``used`` or in ``_equal`` have to be checked.
    def __init__(self, name: str, ruleset: Ruleset, rows: list[tuple[str, int]]) -> None:
        if ruleset.loopy:
            raise ParameterError("{name} may repeat a position: a certificate needs play that ends", name)
        self._name = name
        self._ruleset = ruleset
        self._decides = ruleset.decides
        self._canonical = BoundedCache(self._image).__getitem__
        self._trusted = name.partition("{")[0] in CATALOGUE and type(ruleset).__module__.startswith("graphgame.")
        self.raw_options = BoundedCache(self._distinct).__getitem__
        self._values: dict[Hashable, int] = {}
        self.used: dict[Hashable, None] = {}
        self._equal: dict[Hashable, None] = {}
        for text, value in rows:
            with rule_errors(name, Message("the text {text!r}", text)):
                position = ruleset.parse(text)
                parts = self.parts(position)
            if len(parts) != 1:
                raise ParameterError("the text {text!r} is not a single position of {game}", text, name)
            self._values[parts[0]] = value
            self.use(self.raw(position))

    def value(self, parts: Iterable[Hashable]) -> int | None:
        """Return the value of a sum of parts; None if a part is not listed. Pairs of equal parts cancel."""
        return _sum(map(self._values.get, self._split(parts)))

    def listed(self, part: Hashable) -> int | None:
        """Return the listed value of a position; None if it is not listed."""
        return self._values.get(self._canonical(part))

    def line(self, part: Hashable) -> str:
        """Return the name of the game and the text of a position, on one line."""
        return " ".join(f"{self._name} {self._text(part)}".split())

    def raw(self, position: Hashable) -> _Parts:
        """Return the parts of a position: in canonical form if ``canonical`` is trusted, otherwise unchanged."""
        parts = parts_of(position)
        return tuple(map(self._canonical, parts)) if self._trusted else tuple(parts)

    def use(self, parts: Iterable[Hashable]) -> None:
        """Add the parts of a sum on whose value the proof relies to the positions that must be checked.

        Parts that are the same position cancel in pairs, and are not added.
        """
        # A part that occurs twice cancels without proof: it is the same position.
        odd = [part for part, count in Counter(parts).items() if count % 2]
        images = Counter(map(self._canonical, odd))
        for part in odd:
            # A part whose image occurs once, or is listed, goes to ``used``: its value is checked. Any other part
            # cancels because its image occurs again. It goes to ``_equal``, to check that their values are equal.
            image = self._canonical(part)
            (self.used if images[image] == 1 or image in self._values else self._equal)[part] = None

    def faults(self) -> Iterator[str]:
        """Check the positions in ``used``, and those that their checks use in turn; yield a sentence for each fault.

        Afterwards ``used`` is empty.
        """
        checked: set[Hashable] = set()
        while self.used:
            position = self.used.popitem()[0]
            if position not in checked:
                checked.add(position)
                yield from self._faults_of(position, self._values[self._canonical(position)])
        yield from self._false_images()

    def _faults_of(self, position: Hashable, value: int) -> Iterator[str]:
        name = self._text(position)
        if self.is_loony(position):
            yield Message(
                "{position!r} is listed with a value, but it has none: the player to move has won there, or can win at "
                "once",
                name,
            )
        # The two halves of the mex rule: no option has the value, and each smaller value occurs among the options.
        seen = set()
        for parts in self.raw_options(position):
            own, used = self.value(parts), parts
            if own is None:
                # An unlisted option does not have the value if a reply leads from it to a sum that has the value.
                used = next((after for _, _, after in self.answers(parts, value)), None)
            seen.add(own)
            if own == value or used is None:
                option = " + ".join(shorten(self._text(part)) for part in parts) or Message("without any part")
                yield Message(
                    "{position!r} is listed with the value {value}, but the option {option} may have this value too",
                    name,
                    value,
                    option,
                )
            else:
                self.use(used)
        if missing := set(range(value)) - seen:
            first = min(missing)
            yield Message(
                "{position!r} is listed with the value {value}, but no listed option has the value {smaller}",
                name,
                value,
                first,
            )

    def _false_images(self) -> Iterator[str]:
        """Yield a sentence for each position that differs from its canonical position in options, or in being loony.

        A position and its canonical position must have options with the same canonical parts, and must both be loony,
        or neither. The check covers the positions that cancelled because their canonical positions are equal, these
        canonical positions, and all positions that moves reach from them. If it yields nothing, each of them has the
        value of its canonical position, by induction on the length of play. After 100,000 positions, yield a sentence
        about this limit, and stop. If ``canonical`` is trusted, nothing is checked.
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
                facts = self._name, _MOST_COMPARED
                yield Message(
                    "{game}: two positions with the same canonical position cancel in a sum, but checking that they "
                    "are equal takes more than {most:,} positions",
                    *facts,
                )
                return
            image = self._canonical(position)
            below = self.raw_options(position)
            own, of_image = (
                {frozenset(self._split(each)) for each in options} for options in (below, self.raw_options(image))
            )
            if own != of_image or self.is_loony(position) != self.is_loony(image):
                names = self._text(position), self._text(image)
                yield Message(
                    "{position!r} and its canonical form {form!r} have different options, or only one of them is loony",
                    *names,
                )
            self._equal |= dict.fromkeys([image, *chain.from_iterable(below)])

    def parts(self, position: Hashable) -> _Parts:
        """Return the canonical parts of a position; pairs of equal parts cancel."""
        return tuple(self._split(parts_of(position)))

    def _split(self, parts: Iterable[Hashable]) -> dict[Hashable, Hashable]:
        """Return a map from canonical forms to parts. Two parts with the same canonical form cancel."""
        by_image: dict[Hashable, Hashable] = {}
        for part in parts:
            image = self._canonical(part)
            if image in by_image:
                del by_image[image]
            else:
                by_image[image] = part
        return by_image

    def moves(self, position: Hashable) -> Iterator[tuple[Hashable, _Parts]]:
        """Yield pairs: an option of a position, and its canonical parts."""
        return ((option, self.parts(option)) for option in self._tried(position))

    def _tried(self, position: Hashable) -> Iterator[Hashable]:
        with rule_errors(self._name, Message("the options"), position, method=self._ruleset.options):
            for tried, option in enumerate(iterated(self._ruleset.options(position), position)):
                if tried == MAX_TRIED:
                    raise LimitError(
                        "{position!r} has more than {max_tried:,} options, too many to try each one",
                        position,
                        MAX_TRIED,
                    )
                yield option

    def _distinct(self, position: Hashable) -> list[_Parts]:
        """Return each option that is not loony as the tuple of its parts. No tuple occurs twice.

        If ``canonical`` is trusted, these are the canonical parts without pairs of equal parts, otherwise all parts.
        """
        going_on = (option for option in self._tried(position) if not self.is_loony(option))
        return list(dict.fromkeys(map(self.parts if self._trusted else self.raw, going_on)))

    def wins(self, option: Hashable) -> bool:
        """Return True if a move to this option ends play and wins."""
        return self._decides and any(self._ruleset.decided(part) == "P" for part in parts_of(option))

    def is_loony(self, option: Hashable) -> bool:
        """Return True if the player to move at this position or sum has already won, or can win by ending play."""
        for part in parts_of(option) if self._decides else ():
            decided = self._ruleset.decided(part)
            if decided == "N" or (decided is None and any(map(self.wins, self._tried(part)))):
                return True
        return False

    def answers(self, parts: _Parts, value: int) -> Iterator[tuple[Hashable, _Parts, _Parts]]:
        """Yield (part, option, after) for each move in the sum ``parts`` after which the sum has the value ``value``.

        The move changes ``part`` into ``option``, a tuple of parts. ``after`` has all parts of the sum after the move,
        even pairs that cancel. Two kinds of moves are left out: moves to loony options, and moves after which a part
        that does not cancel is not listed.
        """
        for index, part in enumerate(parts):
            others = parts[:index] + parts[index + 1 :]
            for option in self.raw_options(part):
                if self.value(after := (*others, *option)) == value:
                    yield part, option, after

    def _image(self, position: Hashable) -> Hashable:
        with rule_errors(self._name, Message("the canonical position"), position):
            return hashed(self._ruleset.canonical(position))

    def _text(self, position: Hashable) -> str:
        return returned(self._ruleset.format(position), str)


def _after(components: tuple[Component, ...], index: int, option: Hashable) -> tuple[Component, ...]:
    """Return the components after the component with this index has moved to an option."""
    return (*components[:index], components[index]._replace(position=option), *components[index + 1 :])


def _odd(parts: Iterable[Listed]) -> list[Listed]:
    """Return the parts that occur an odd number of times, each once; pairs of equal parts cancel."""
    return [part for part, count in Counter(parts).items() if count % 2]


def game_text(part: Component) -> str:
    """Return the name of a component's game with its arguments, such as ``subtraction{1,3}``."""
    return f"{part.name}{{{part.ruleset.arguments}}}" if part.ruleset.arguments else part.name


def _sum(values: Iterable[int | None]) -> int | None:
    """Return the xor of the values; None if one of them is None."""
    total = 0
    for value in values:
        if value is None:
            return None
        total ^= value
    return total


def read_position_certificate(path: PathLike) -> PositionCertificate:
    """Read a certificate from a file.

    Raises
    ------
    ParseError
        The file is not a certificate, or is damaged.
    OSError
        The file cannot be read.
    """
    with Source(path) as source:
        return PositionCertificate(**_RECORD.loads(next(source.lines(), ""), source.name))


class ByCertificate(Adviser):
    """An adviser that plays by a certificate: the winner ends play, or moves to listed positions whose nim-sum is 0.

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
        """Return who wins a position; raise LimitError where the certificate does not decide it.

        It decides every position that occurs while the winner follows the listed moves.
        """
        if (decided := position.decided) is not None:
            return Verdict(decided, None)
        if self._listed.total(position) == 0:
            return Verdict("P", None)
        if self._listed.winning_move(position) is None:
            raise LimitError(
                "the certificate does not tell who wins here: the winning side did not play the certificate's moves"
            )
        return Verdict("N", None)

    def best_move(self, position: Position) -> Move | None:
        """Return a move that the certificate proves to win. Without one, return any move, or None if there is none."""
        if position.decided is not None:
            return None
        move = self._listed.winning_move(position)
        if move is None:
            return last_of_first(position)
        index, option = move
        start = position.components[index]
        return Move(index, start, start._replace(position=option))
