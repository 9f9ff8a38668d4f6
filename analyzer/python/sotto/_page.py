# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Results that have a page: shown in a notebook, saved as a file."""

import html
import pathlib


class HasPage:
    """A result with the page that the command line writes."""

    _height = 560

    @property
    def page(self):
        """The page as HTML, which stands alone."""
        raise NotImplementedError

    def save(self, path):
        """Writes the page to `path` and returns it."""
        path = pathlib.Path(path)
        path.write_text(self.page, encoding="utf-8")
        return path

    def _repr_html_(self):
        # A frame of its own: neither the page's styles nor those of the notebook reach into the other.
        return (f'<iframe srcdoc="{html.escape(self.page, quote=True)}" sandbox="allow-same-origin" '
                f'style="width:100%;height:{self._height}px;border:0" title="{html.escape(str(self))}"></iframe>')


def coefficient_frame(rows):
    """Coefficients with intervals as a DataFrame, indexed by the names of the features."""
    import pandas as pd

    frame = pd.DataFrame(rows, columns=["name", "estimate", "low", "high", "found"])
    return frame.astype({"estimate": float, "low": float, "high": float}).set_index("name")


def draw_intervals(names, estimates, lows, highs, title, ax=None, truth=None):
    """A horizontal chart of estimates with intervals; returns the axes."""
    import matplotlib.pyplot as plt

    if ax is None:
        _, ax = plt.subplots(figsize=(6, 0.4 * max(4, len(names)) + 1), layout="constrained")
    at = list(range(len(names)))[::-1]
    known = [(y, low, high) for y, low, high in zip(at, lows, highs) if low == low and high == high]  # not every model has
    ax.hlines(*(zip(*known) if known else ([], [], [])), color="tab:blue", linewidth=2)
    ax.plot(estimates, at, "o", color="tab:blue", label="estimate, with its interval")
    if truth is not None:
        ax.plot(truth, at, "|", color="black", markersize=14, label="truth")
        ax.legend()
    ax.axvline(0, color="0.8", linewidth=1, zorder=0)
    ax.set_yticks(at, names)
    ax.set_title(title)
    return ax
