# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""How far a long run is: a callback, or a bar of tqdm where it is installed."""

import sys


def _is_interactive():
    return sys.stderr.isatty() or "ipykernel" in sys.modules


class Progress:
    """What the library is to call, as a context: `progress` is a function of the share that is done, True for a bar,
    False for silence, and None for a bar where somebody watches and tqdm is installed."""

    def __init__(self, progress, what):
        self._bar, self.call = None, None
        if callable(progress):
            self.call = progress
        elif progress is True or (progress is None and _is_interactive()):
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._bar = tqdm(total=100, desc=what, unit="%", leave=False, delay=1)
            self.call = self._move

    def _move(self, share):
        self._bar.update(max(0, round(100 * share) - self._bar.n))

    def __enter__(self):
        return self.call

    def __exit__(self, *_):
        if self._bar is not None:
            self._bar.close()
