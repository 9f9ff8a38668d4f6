# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Text that would do something if anybody forgot that it is text."""

MARKUP = "</title></style><script>document.title='taken'</script><img src=http://tracker.example/x onerror=\"alert(1)\">&'\"</h1>"
# A colour, the title of the window, C1, a turned writing direction, a tag that nobody sees, a line of its own, delete.
STEERING = "\x1b[31mred\x1b]0;taken\x07 \x9b2J \u202etxt.exe\u202c \U000e0041\nsotto: fake line\x7f"


def everywhere(value, text, kept=("format", "verdict", "basis", "against"), path=""):
    """The same JSON with `text` and a number of its own in every string and every free key; those in `kept` have a fixed meaning."""
    count = [0]

    def marked():
        count[0] += 1
        return f"{text}{count[0]:04d}"

    def walk(at, name):
        if isinstance(at, str):
            return at if name in kept else marked()
        if isinstance(at, list):
            return [walk(element, name) for element in at]
        if isinstance(at, dict):
            free = name == "refused_by_reason"
            return {marked() if free else key: walk(element, key) for key, element in at.items()}
        return at

    return walk(value, path), count[0]
