"""Colours for numbers: from the paper's lightness to a strong one, in even steps of lightness as the eye sees it."""

from __future__ import annotations

import numpy as np

from graphgame.export.colors import NAMES
from graphgame.export.themes import THEMES, Theme

__all__ = ["pixels", "scale_pixels"]

_SCALES = {
    "light": "#fff6e2 #f8dcaf #efc389 #e6a867 #dd8d48 #d3712e #c95118",
    "dark": "#2c2722 #473621 #614623 #7b5826 #956a29 #b17c2d #cc8f32",
    "print": "#ffffff #ededed #dbdbdb #c9c9c9 #b8b8b8 #a7a7a7 #969696",
}
"""Steps of 8 of CIELAB's lightness; the colour of P-positions stands out against all of them."""


def scale_pixels(shares: np.ndarray, theme: Theme) -> np.ndarray:
    """Return the colours of numbers from 0 to 1, as bytes in one more axis of 3.

    Examples
    --------
    >>> scale_pixels(np.array([0, 1]), THEMES["print"]).tolist()
    [[255, 255, 255], [150, 150, 150]]
    """
    name = next((name for name, known in THEMES.items() if known.paper == theme.paper and known.ink == theme.ink))
    steps = np.stack([pixels(color) for color in _SCALES[name].split()])
    places = np.asarray(shares, np.float64) * (len(steps) - 1)
    channels = [np.interp(places, np.arange(len(steps)), steps[:, channel]) for channel in range(3)]
    return np.stack(channels, axis=-1).round().astype(np.uint8)


def pixels(color: str) -> np.ndarray:
    """Return a colour as three bytes."""
    value = NAMES.get(color.lower(), color)
    return np.array([int(value[i : i + 2], 16) for i in (1, 3, 5)], np.uint8)
