"""Zstandard files (``.zst``), opened as the standard library opens those of its other compressions."""

from __future__ import annotations

from graphgame.errors import Message, needs_extra

__all__ = ["open"]

try:
    from compression.zstd import open  # type: ignore[import-not-found]
except ImportError:  # Pythons before 3.14
    with needs_extra(Message("Zstandard compression (.zst)"), "zstd"):
        from backports.zstd import open
