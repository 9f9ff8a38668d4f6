# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Everyday questions, rehearsed on values that you have."""

import json

from sotto import _sotto
from sotto._errors import Error
from sotto._frames import number_column, users_of
from sotto._page import HasPage, draw_intervals
from sotto._progress import Progress
from sotto._words import commas, words

_COMMON = """
    epsilon    what one report spends, in nats
    user       whose value it is, an array as long as the values; without it every value is of a device of its own
    repeat     independent rehearsals on the same values, for .metrics
    dropout    share of devices that never send
    seed       the same seed gives the same reports
    threads    of the simulation; the result does not depend on it
    name       what the model calls the values
    progress   a function of the share that is done; True for a bar of tqdm, False for none
"""


def number(values, *, low=None, high=None, epsilon=1, quantiles=None, bins=None, tight=False, periods=None, user=None,
           repeat=1, dropout=None, seed=1, threads=None, name="value", progress=None):
    """Mean, standard deviation, quantiles and distribution of a number, as a fleet would tell them."""
    asked = dict(low=low, high=high, quantiles=commas(quantiles), bins=bins, tight=tight, periods=periods)
    return _of_numbers("number", values, asked, epsilon, user, repeat, dropout, seed, threads, name, progress)


def count(values, *, high=None, epsilon=1, periods=None, user=None, repeat=1, dropout=None, seed=1, threads=None,
          name="count", progress=None):
    """The mean of a count, such as of restarts in a week."""
    asked = dict(high=high, periods=periods)
    return _of_numbers("count", values, asked, epsilon, user, repeat, dropout, seed, threads, name, progress)


def event(values, *, epsilon=1, periods=None, user=None, repeat=1, dropout=None, seed=1, threads=None, name="event",
          progress=None):
    """The share of devices on which an event happened; values are 0 and 1, or False and True."""
    return _of_numbers("event", values, dict(periods=periods), epsilon, user, repeat, dropout, seed, threads, name, progress)


def category(values, *, epsilon=1, periods=None, user=None, repeat=1, dropout=None, seed=1, threads=None,
             name="category", progress=None):
    """The share of each category; None stands for a device without one."""
    return _of_words("category", [values], dict(periods=periods), epsilon, user, repeat, dropout, seed, threads, [name],
                     progress)


def crosstab(rows, columns, *, epsilon=1, user=None, repeat=1, dropout=None, seed=1, threads=None,
             names=("row", "column"), progress=None):
    """The shares of pairs of two categories, and whether they go together."""
    return _of_words("crosstab", [rows, columns], {}, epsilon, user, repeat, dropout, seed, threads, list(names), progress)


def top(values, *, epsilon=1, of="string", length=None, mechanism=None, user=None, repeat=1, dropout=None, seed=1,
        threads=None, name="item", progress=None):
    """The most common items with their shares, out of any that there could be: words of up to `length` bytes, or, with
    of="id64", numbers of 64 bits."""
    asked = dict(of=of, length=length, mechanism=mechanism)
    return _of_words("top", [values], asked, epsilon, user, repeat, dropout, seed, threads, [name], progress)


number.__doc__ += """

    The values are readings of devices that you have, or made up: nothing is private here. Devices' own code answers for
    each, and the result is what a server would learn from the reports.

    values     an array, list or Series of numbers
    low, high  the range that the study states; readings beyond count as its ends. Without it, that of the values
    quantiles  such as [0.5, 0.9, 0.99], which it is without it; "none" asks for none
    bins       bars of the distribution
    tight      the range is known to be tight
    periods    of a rotating panel
""" + _COMMON + """
    >>> sotto.number(values, low=0, high=60000, epsilon=1).quantiles
"""
for _kind in (count, event, category, crosstab, top):
    _kind.__doc__ += "\n\n    A rehearsal on values that you have, as sotto.number() is one; nothing is private here.\n" + _COMMON


class Everyday(HasPage):
    """The answer of a rehearsed everyday question.

    estimates    named numbers with 95 % intervals, such as "mean" and "p90", as a DataFrame
    quantiles    those of them that are quantiles, indexed by 0.5, 0.9, ...
    shares       of categories, bins of the distribution, or items, with intervals, as a DataFrame
    mean         the mean, where there is one
    verdict      "learned", "uncertain" or "cannot learn", and `why`
    metrics      errors against the truth, which only a rehearsal knows
    privacy      what one report tells, sentence by sentence
    json, model_json, study, page    as of a Simulation
    """

    def __init__(self, told, name):
        self.json, self.model_json = json.loads(told["json"]), told["model_json"]
        self.study, self._page = told["study"], told["page"]
        self.model = json.loads(self.model_json)
        self.verdict, self.why = self.model["verdict"], self.model["why_verdict"]
        self.privacy = self.model["privacy"]["statement"]
        self._everyday, self._name = self.model["everyday"], name

    @property
    def page(self):
        """The page of the model as HTML."""
        return self._page

    def _unit(self, unit):
        """Devices tell whole steps of a number: what one step is worth."""
        worth, _, of = unit.partition(" ")
        return float(worth) if of == self._name else 1.0

    @property
    def _step(self):
        units = [estimate["unit"] for estimate in self._everyday["estimates"]]
        return self._unit(units[0]) if units else 1.0

    @property
    def estimates(self):
        """The estimates with their 95 % intervals, in the units of the values."""
        import pandas as pd

        rows = [(each["name"], *(each[key] * self._unit(each["unit"]) for key in ("value", "low", "high")))
                for each in self._everyday["estimates"]]
        return pd.DataFrame(rows, columns=["name", "value", "low", "high"]).set_index("name")

    @property
    def mean(self):
        """The mean; None where the question has none."""
        known = self.estimates["value"]
        return next((float(known[name]) for name in ("mean", "clipped mean", "share") if name in known), None)

    @property
    def quantiles(self):
        """The quantiles with their 95 % intervals, indexed by the share below them."""
        rows = self.estimates
        rows = rows[[name.startswith("p") and name[1:].replace(".", "").isdigit() for name in rows.index]]
        return rows.set_axis([round(float(name[1:]) / 100, 10) for name in rows.index]).rename_axis("share")

    @property
    def shares(self):
        """Shares with their 95 % intervals: of categories, of bins by their ends, or of the most common items."""
        import pandas as pd

        columns = ["share", "low", "high"]
        if self._everyday["items"]:
            return pd.DataFrame(self._everyday["items"]).set_index("name")[columns]
        cells = pd.DataFrame(self._everyday["cells"], columns=["name", "from", "until", *columns])
        if self.model["protocol"]["name"] == "number":
            cells[["from", "until"]] *= self._step
            return cells.set_index(["from", "until"])[columns]
        return cells.set_index("name")[columns]

    @property
    def table(self):
        """A cross-tab's shares, rows by columns; None of other questions."""
        import pandas as pd

        rows, columns = self._everyday["rows"], self._everyday["columns"]
        if not rows:
            return None
        shares = [cell["share"] for cell in self._everyday["cells"]]
        return pd.DataFrame([shares[i * len(columns):(i + 1) * len(columns)] for i in range(len(rows))], rows, columns)

    @property
    def metrics(self):
        """Errors against the truth: mean, standard deviation and median over the repeats."""
        import pandas as pd

        return pd.DataFrame(self.json["metrics"]).T

    def plot(self, ax=None):
        """The distribution of a number, or the shares with their intervals, with matplotlib; returns the axes."""
        shares = self.shares
        if shares.index.nlevels == 1:
            if shares.empty:
                shares = self.estimates.rename(columns={"value": "share"})
            return draw_intervals(list(shares.index), shares["share"], shares["low"], shares["high"], str(self), ax)
        import matplotlib.pyplot as plt

        if ax is None:
            _, ax = plt.subplots(layout="constrained")
        ends = shares.index.to_frame(index=False)
        ax.bar(ends["from"], shares["share"], ends["until"] - ends["from"], align="edge", edgecolor="white")
        ax.set(title=str(self), xlabel=self._name, ylabel="share of devices")
        return ax

    def __repr__(self):
        first = self._everyday["estimates"][:1]
        told = "".join(f", {each['name']} {each['value'] * self._unit(each['unit']):.4g}" for each in first)
        return f"{self.model['protocol']['name']}: {self.verdict}{told}"


def _of_numbers(kind, values, asked, epsilon, user, repeat, dropout, seed, threads, name, progress):
    column = number_column(values if hasattr(values, "dtype") else list(values))
    if column is None:
        raise Error("data.not_a_number", "the values are not numbers", name, "pass an array of numbers")
    # A table has features beside its target; nobody reads this one.
    rows = {"name": name, "columns": [(name, column), ("_" + name, column)], "user": None}
    if user is not None:
        codes, names = users_of(user)
        rows["user"] = ("user", codes, names)
    return _run(kind, rows, asked, epsilon, user, repeat, dropout, seed, threads, [name], progress)


def _of_words(kind, columns, asked, epsilon, user, repeat, dropout, seed, threads, names, progress):
    held = list(zip(*([_word(value) for value in column] for column in columns)))
    if user is not None:  # of each user the last row, in the order of first appearance
        held = list(dict(zip(map(str, user), held)).values())
    return _run(kind, {"name": "frame", "words": [list(row) for row in held]}, asked, epsilon, None, repeat, dropout,
                seed, threads, names, progress)


def _word(value):
    """A value as a file would hold it; empty where it is missing."""
    text = "" if value is None or value != value else str(value).strip(" \t")
    return "" if text.lower() in ("na", "n/a", "nan", "null", "<na>") else text


def _run(kind, rows, asked, epsilon, user, repeat, dropout, seed, threads, names, progress):
    asked = words(protocol=kind, epsilon=epsilon, data=rows["name"], target=names[0],
                  columns=names[1] if len(names) > 1 else None, user_column=None if user is None else "user",
                  repeat=repeat, dropout=dropout, seed=seed, threads=threads, **asked)
    with Progress(progress, f"asking for a {kind}") as told:
        return Everyday(_sotto.simulate(asked, rows, told), names[0])
