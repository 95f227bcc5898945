"""Feed texts that atheris grows to the fast and the slow readers; run as a script: it stops at the first difference.

pip install atheris
python -m tests.fuzz.fuzz_scanner -max_total_time=120
"""

import sys

import atheris

with atheris.instrument_imports(include=["graphgame.io"]):
    from tests import slow_reader
    from tests.core.io.test_fuzz import answer, fast_edge_list, fast_token_file

ALPHABET = b"0123456789 \n\t\r\v-+.eax#%12 \n"
SOURCE = b"source target\n"


def compare(data: bytes) -> None:
    """Read one text in both formats, in blocks of some size, by both forms of the scanner."""
    if not data:
        return
    size, text = data[0] % 40 + 1, bytes(ALPHABET[byte % len(ALPHABET)] for byte in data[1:])
    if data[0] > 250:
        text = SOURCE + text
    for fast, slow in ((fast_token_file, slow_reader.token_file), (fast_edge_list, slow_reader.edge_list)):
        wanted = answer(lambda slow=slow: slow(text.decode()))
        for compiled in (False, True):
            found = answer(lambda fast=fast, compiled=compiled: fast(text.decode(), size, compiled))
            assert found == wanted, (fast.__name__, text, size, compiled, found, wanted)


if __name__ == "__main__":
    atheris.Setup(sys.argv, compare)
    atheris.Fuzz()
