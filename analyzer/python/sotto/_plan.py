# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""What a fleet can tell, before a device spends its epsilon."""

import json

from sotto import _sotto
from sotto._page import HasPage
from sotto._words import usual_nonzeros, word, words


def plan(study=None, *, devices=None, samples=None, features=None, epsilon=None, nonzeros=None, signal=None, noise=None,
         design=None, link=None, signs=None, delta=None, empty=None, dropout=None, protocol=None, label=None,
         mechanism=None, rounds=None, validation=None, error=None, effect=None, power=None, rate=None, seed=1,
         quick=False):
    """Says what a fleet of devices can tell, and which protocol to take. No device is asked, and nothing is spent.

    study      path of a study file with [protocol]; without one the other arguments describe the fleet
    devices    number of devices
    samples    rows of a device, a number or "A:B" for unequal ones; 100 without it
    features   number of features
    epsilon    what one report may spend, in nats
    nonzeros   number of features with a nonzero coefficient; 8 without it
    signal     their coefficients, in standard deviations: a number, 0.2 without it, or "uniform"
    noise      standard deviation of what the features do not explain; 1 without it
    design     "independent", "correlated", "rademacher" or "unit-ball"
    error      a squared error to reach: .devices and .epsilon_needed say what it takes
    effect     a coefficient that is to be found, with the chance `power`, 0.8 without it; in place of `error`
    rate       devices that report in a day, for the duration
    quick      leave out the curves, the smallest effect, and what wrong guesses would do

    >>> plan = sotto.plan(devices=5000, samples=50, features=12, epsilon=2)
    >>> plan.verdict                        # "learnable", "uncertain" or "cannot learn"
    >>> plan.table                          # every protocol that could serve, the recommended one first
    >>> plan.devices_needed(error=0.05)
    """
    asked = dict(users=devices, samples=samples, dim=features, epsilon=epsilon, nonzeros=usual_nonzeros(nonzeros, features), signal=signal,
                 noise=noise, design=design, link=link, signs=signs, delta=delta, empty=empty, dropout=dropout,
                 protocol=protocol, label=label, mechanism=mechanism, rounds=rounds, validation=validation,
                 want_error=error, want_effect=effect, want_power=power, rate=rate, seed=seed, quick=quick)
    return Plan([] if study is None else [word(study)], asked)


class Plan(HasPage):
    """A plan; made by sotto.plan().

    verdict      "learnable", "uncertain" or "cannot learn"
    protocol     the one to take, and `why`
    error        predicted squared error of the coefficients; `error_interval` holds four fleets of five
    table        every protocol that could serve, as a DataFrame
    by_devices, by_epsilon    curves of the predicted error, as DataFrames
    if_wrong     what becomes of it if a guess is off, as a DataFrame
    smallest_effect           that such a fleet finds in four of five
    devices, epsilon          of the fleet
    json         everything, as `sotto plan --json` prints it
    """

    def __init__(self, study, asked):
        self._study, self._asked = study, asked
        made = _sotto.plan(study + words(**asked))
        self._page, self.json = made["page"], json.loads(made["json"])
        best = self.json["recommended"]
        self.verdict, self.protocol, self.why = best["verdict"], best["protocol"], best["why_recommended"]
        self.error, self.error_interval = best["predicted"], (best["low"], best["high"])
        self.smallest_effect = self.json["smallest_effect"]
        self.devices, self.epsilon = self.json["devices"], self.json["epsilon"]
        self.epsilon_needed = self.json["epsilon_needed"]

    @property
    def page(self):
        """The page of the plan as HTML."""
        return self._page

    @property
    def table(self):
        """Every protocol that could serve, the recommended one first."""
        import pandas as pd

        columns = ["protocol", "verdict", "predicted", "low", "high", "zero_model", "f1", "rounds", "bytes_per_report"]
        return pd.DataFrame(self.json["protocols"])[columns].set_index("protocol")

    @property
    def by_devices(self):
        """The predicted error of fleets of other sizes."""
        return self._curve("devices")

    @property
    def by_epsilon(self):
        """The predicted error at other epsilons."""
        return self._curve("epsilon")

    @property
    def if_wrong(self):
        """What would become of the plan if a guess were off by a factor of two."""
        import pandas as pd

        return pd.DataFrame(self.json["if_wrong"], columns=["if", "predicted", "zero_model", "verdict"]).set_index("if")

    def devices_needed(self, *, error=None, effect=None, power=None):
        """The number of devices that reach a squared error, or find a coefficient of this size with the chance `power`;
        None if no number does."""
        asked = dict(self._asked, want_error=error, want_effect=effect, want_power=power, quick=True)
        asked["protocol"] = self.protocol if asked["protocol"] is None else asked["protocol"]
        return json.loads(_sotto.plan(self._study + words(**asked))["json"])["devices_needed"]

    def plot(self, ax=None):
        """The predicted error by the number of devices, with matplotlib; returns the axes."""
        import matplotlib.pyplot as plt

        curve = self.by_devices
        if ax is None:
            _, ax = plt.subplots(layout="constrained")
        ax.fill_between(curve.index, curve["low"], curve["high"], alpha=0.3, label="four fleets of five")
        ax.plot(curve.index, curve["predicted"], marker="o", label="predicted")
        ax.axhline(self.json["recommended"]["zero_model"], linestyle="--", color="0.5", label="a model that says nothing")
        ax.set(xscale="log", xlabel="devices", ylabel="squared error of the coefficients", title=str(self), ylim=(0, None))
        ax.legend()
        return ax

    def _curve(self, name):
        import pandas as pd

        columns = [name, "predicted", "low", "high", "verdict"]
        return pd.DataFrame(self.json[f"by_{name}"], columns=columns).set_index(name)

    def __repr__(self):
        return f"Plan: {self.verdict} with {self.protocol}, predicted squared error {self.error:.3g}"
