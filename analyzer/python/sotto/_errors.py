# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""What the library refuses, and what it warns of."""

import re

_CHOICE = re.compile(r"(?<![\w-])--(loss|target-kind|scale|protocol|mechanism|label|link|units|centre|of) "
                     r"(?!(?:is|and|or|says|needs|makes|names|takes|reads|has)\b)([a-z0-9-]+)")
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)")
# Where Python calls an option of the command line by another name.
_RENAMED = {"data": "data", "users": "devices", "dim": "features", "levels": "levels", "user-column": "user",
            "want-error": "error", "want-effect": "effect", "want-power": "power", "seed": "seed"}


def pythonic(text):
    """The text with options as Python writes them: --row-bound as row_bound, --loss linear as loss="linear"."""
    text = _CHOICE.sub(lambda found: f'--{found[1]}="{found[2]}"', text)
    return _OPTION.sub(lambda found: _RENAMED.get(found[1], found[1].replace("-", "_")), text)


class Error(ValueError):
    """A refusal of the library.

    code    stable, for programs, such as "data.unknown_column"
    what    what was refused
    value   the value that was refused, as text
    fix     what to do about it
    """

    def __init__(self, code, what, value="", fix=""):
        self.code, self.what, self.value, self.fix = code, pythonic(what), value, pythonic(fix)
        shown = f" ({self.value})" if self.value else ""
        super().__init__(f"{self.code}: {self.what}{shown}" + (f"; {self.fix}" if self.fix else ""))

    def __reduce__(self):
        return Error, (self.code, self.what, self.value, self.fix)


class PrivacyWarning(UserWarning):
    """Something that spends privacy which the result does not account for, or that leaves it without any."""
