"""Zstandard files (``.zst``), opened as the standard library opens those of its other compressions."""

from __future__ import annotations

from graphgame.errors import MissingExtraError

__all__ = ["open"]

try:
    from compression.zstd import open  # type: ignore[import-not-found]
except ImportError:  # Pythons before 3.14
    try:
        from backports.zstd import open
    except ImportError:
        raise MissingExtraError("Zstandard compression (.zst)", "zstd") from None
