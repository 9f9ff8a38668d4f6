# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""What one report can say: the channel between a device's answer and its report."""

import pathlib

from sotto import _sotto
from sotto._errors import Error
from sotto._page import HasPage
from sotto._words import word

_VOTE = """name = "channel"
[privacy]
epsilon = {epsilon}
cap = 12.0
[question]
kind = "vote"
names = [{names}]
"""


def channel(study=None, *, options=None, epsilon=None):
    """What one report of a study gives away, before it is asked.

    study      path of a study file; without it a vote
    options    of the vote: names, or their number; 8 without it
    epsilon    of the vote, in nats; 1 without it

    >>> sotto.channel(options=["pump", "door"], epsilon=1).best_guess
    """
    if study is not None:
        return Channel(pathlib.Path(study).read_text(encoding="utf-8"), str(study))
    options = 8 if options is None else options
    names = [f"option {i + 1}" for i in range(options)] if isinstance(options, int) else [str(name) for name in options]
    quoted = ", ".join('"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"' for name in names)
    made = Channel(_VOTE.format(epsilon=word(float(1 if epsilon is None else epsilon)), names=quoted), "vote")
    made.answers = [*names, "none"]
    return made


class Channel(HasPage):
    """A channel; made by sotto.channel().

    stem                the randomizer
    epsilon, delta      promised; epsilon_delivered: of these integers, never more
    outcomes, inside, threshold    M, k, T: of M reports, the k that fit the answer share the probability T / 2^32;
                        None for additive noise
    best_guess          the chance that whoever sees the report guesses which of two answers it was, at best
    truth_probability   the chance that the report is one of those that fit the answer
    statement           what a report tells, sentence by sentence
    payload_bits        of a report
    """

    def __init__(self, text, name):
        told = _sotto.channel(text, name)
        self.stem, self.epsilon, self.delta = told["stem"], told["epsilon"], told["delta"]
        self.epsilon_delivered, self.best_guess = told["epsilon_delivered"], told["best_guess"]
        self.truth_probability, self.statement = told["truth_probability"], told["statement"]
        self.payload_bits, self.answers = told["payload_bits"], told["answers"]
        self.outcomes, self.inside, self.threshold = told.get("outcomes"), told.get("inside"), told.get("threshold")

    def _probabilities(self):
        if self.outcomes is None:
            raise Error("channel.additive", "a channel of additive noise has no list of outcomes", self.stem,
                        "take one of a vote, a label of one bit or a category")
        inside = self.threshold / 2**32
        return inside / self.inside, (1 - inside) / (self.outcomes - self.inside)

    @property
    def matrix(self):
        """The probability of each report (columns) for each answer (rows), where one outcome fits each answer."""
        import numpy as np
        import pandas as pd

        inside, outside = self._probabilities()
        if self.inside != 1 or self.outcomes > 1024:
            raise Error("channel.no_matrix", "several outcomes fit each answer, by public coins",
                        f"{self.inside} of {self.outcomes}", "look at .plot(), or at a vote of few options")
        names = self.answers if len(self.answers) == self.outcomes else [str(i) for i in range(self.outcomes)]
        return pd.DataFrame(np.where(np.eye(self.outcomes, dtype=bool), inside, outside), names, names)

    def plot(self, ax=None):
        """The probability of each report for the answer in the middle, with matplotlib; returns the axes."""
        import matplotlib.pyplot as plt

        inside, outside = self._probabilities()
        if ax is None:
            _, ax = plt.subplots(layout="constrained")
        ax.bar(["a report that fits the answer", "any other report"], [inside, outside], color=["tab:blue", "0.7"])
        ax.set(ylabel="probability", title=f"{self.stem}: no ratio above e^{self.epsilon:g} = {2.718281828459045**self.epsilon:.3g}")
        return ax

    @property
    def page(self):
        """The statement as HTML."""
        import html

        lines = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in self.statement)
        return (f"<!doctype html><meta charset=utf-8><title>{html.escape(str(self))}</title>"
                f"<body style='font-family:sans-serif'><p><b>{html.escape(str(self))}</b></p><ul>{lines}</ul>")

    def _repr_html_(self):
        self._height = 120 + 28 * len(self.statement)
        return super()._repr_html_()

    def __repr__(self):
        return f"Channel {self.stem}: epsilon {self.epsilon:g}, best guess of two answers {self.best_guess:.3f}"
