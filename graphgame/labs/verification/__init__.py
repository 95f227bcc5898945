"""Choose certificates from a solution, and check values and certificates with code that the solver does not use."""

from typing import TYPE_CHECKING

from graphgame.registry import lazy_names, register

if TYPE_CHECKING:
    from graphgame.labs.verification.certification import certificate as certificate
    from graphgame.labs.verification.certification import write_certificate as write_certificate
    from graphgame.labs.verification.verification import Verification as Verification
    from graphgame.labs.verification.verification import verify as verify

register("command", "verify", "labs.verification.cli:verify_command", "Check values, certificates and other proofs.")
register(
    "command", "certificate", "labs.verification.cli:certificate_command", "Write the few values that prove who wins."
)
register("job", "certificate of a position", "labs.verification.position_certificates:read_position_certificate")
register("job", "advice of a certificate", "labs.verification.position_certificates:ByCertificate")

__all__ = ["Verification", "certificate", "verify", "write_certificate"]
__getattr__, __dir__ = lazy_names(
    __name__, {"certification": "certificate write_certificate", "verification": "Verification verify"}
)
