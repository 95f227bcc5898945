"""Check values, and choose certificates, with code that shares nothing with the solver."""

from graphgame.registry import register

register("command", "verify", "labs.verification.cli:verify_command", "Check that a values file is right.")
register(
    "command", "certificate", "labs.verification.cli:certificate_command", "Write the few values that prove who wins."
)
register("job", "certificate of a position", "labs.verification.position_certificates:read_position_certificate")
register("job", "advice of a certificate", "labs.verification.position_certificates:ByCertificate")
