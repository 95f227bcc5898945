"""How ``graphgame draw`` draws a certificate: as a page that plays by it."""

from __future__ import annotations

from typing import Any

from graphgame.cli import common
from graphgame.cli.common import Game
from graphgame.cli.draw import is_page
from graphgame.cli.errors import UsageError
from graphgame.labs.verification.position_certificates import read_position_certificate
from graphgame.labs.web.page import write_page
from graphgame.text.text import printable

_NOT_OF_PROOFS = ("around", "reachable_from", "only", "merge", "pictures", "genus", "layout", "caption", "product")


def draw_proof(game: Game, path: str, plain: bool, options: dict[str, Any]) -> None:
    """Write the page that plays by a certificate."""
    refused = plain or game.tokens or game.misere or game.loopy or any(map(options.get, _NOT_OF_PROOFS))
    if refused or not is_page(path):
        raise UsageError("a certificate is drawn whole, as a page that plays by it: name it -o FILE.html")
    proof = read_position_certificate(game.source)
    again = f"graphgame play {printable(proof.position, length=0)!r} --certificate {game.source}"
    common.refuse_rules_of_file(proof.position, game.source, again)
    write_page(proof, path, title=options["title"] or proof.position)
    common.tell_of(path)
