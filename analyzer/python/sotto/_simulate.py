# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""A study rehearsed: devices' code runs on this machine, on rows that you have."""

import json
import warnings

from sotto import _sotto
from sotto._errors import Error, pythonic
from sotto._frames import is_path, rows_of_frame
from sotto._page import HasPage, coefficient_frame, draw_intervals
from sotto._progress import Progress
from sotto._words import column_list, commas, level_words, usual_nonzeros, words


def simulate(data=None, *, epsilon, target=None, user=None, protocol="auto", mechanism=None, delta=None, label=None,
             devices=None, features=None, samples=None, nonzeros=None, signal=None, noise=None, design=None, signs=None,
             link=None, effects=None, degree=None, rounds=None, empty=None, dropout=None, leave_out=None, levels=None,
             missing_feature=None, positive=None, target_kind=None, transform=None, test_share=None,
             row_is_device=False, units=None, centre=None, validation=None, between=None, repeat=1, compare=False,
             seed=1, threads=None, name="frame", progress=None, **more):
    """Rehearses a study: splits the rows into devices, lets each answer once with the devices' own code, and learns a
    model from the reports alone. Nothing of it is private, as the rows are here anyway; it shows what a real fleet would
    give.

    data       a pandas DataFrame, a dict of arrays, or the path of a CSV file, with one row for each observation.
               Without it a fleet is made up: say devices, features, samples, nonzeros, signal and noise.
    target     the column that is to be explained
    user       the column that says whose row it is; without it every row is a device
    epsilon    what one report spends, in nats: 1 hides well, 4 little
    protocol   "auto", or a name such as "cascade", "boost" or "label-lasso" (docs/PROTOCOLS.md)
    levels     {"color": ["red", "green"]}: public levels of columns of text; without it those in the data
    leave_out, missing_feature   columns that are no features; columns whose being missing is a feature
    positive   the level of a target in words that counts as 1
    target_kind   "number", "class" or "count"; by its values without it
    test_share    share of the users that are held out, 0.2 without it
    repeat     independent fleets, for .metrics
    compare    all protocols of the family on the same fleets: the result has .comparison
    seed       the same seed gives the same reports, and the same model.json as the command line's
    threads    of the simulation; the result does not depend on it
    name       what the model calls the data
    progress   a function of the share that is done; True for a bar of tqdm, False for none
    more       further options of `sotto simulate`, such as assume_samples=20

    >>> sim = sotto.simulate(frame, user="user", target="y", epsilon=2)
    >>> sim.verdict, sim.r2, sim.r2_interval
    >>> sim.coefficients                    # with 95 % intervals
    >>> sim.baselines                       # what could be learned without privacy
    """
    rows = {}
    if data is not None and not is_path(data):
        rows = rows_of_frame(data, name, user=user, as_text=levels is not None or positive is not None)
    elif data is not None:
        name = str(data)
    asked = words(protocol=protocol, epsilon=epsilon, data=None if data is None else name, target=target,
                  user_column=user, mechanism=mechanism, delta=delta, label=label, users=devices, dim=features,
                  samples=samples, nonzeros=usual_nonzeros(nonzeros, features), signal=signal, noise=noise, design=design, signs=signs, link=link,
                  effects=effects, degree=degree, rounds=rounds, empty=empty, dropout=dropout,
                  leave_out=column_list(leave_out), levels=level_words(levels),
                  missing_feature=column_list(missing_feature), positive=positive, target_kind=target_kind,
                  transform=transform, test_share=test_share, row_is_device=row_is_device, units=units, centre=centre,
                  validation=validation, between=commas(between), repeat=repeat, compare=compare, seed=seed,
                  threads=threads, **more)
    with Progress(progress, "simulating") as told:
        return Simulation(_sotto.simulate(asked, rows, told))


class Simulation(HasPage):
    """A rehearsed study; made by sotto.simulate().

    verdict        "learned", "uncertain", "cannot learn" or "not measured", and `why`
    r2             share of the target's variance that the model explains on devices that taught it nothing, measured
                   from their private reports; `r2_interval` holds the truth in 95 of 100; None where nothing was measured
    coefficients   the variables that were selected, strongest first, with 95 % intervals
    baselines      errors on held-out rows, the model's first, then those of models without privacy
    metrics        means over the repeats, of what only a simulation knows
    protocol       that was run, and why: `why_protocol`
    privacy        what one report tells, sentence by sentence
    study          the study file that was asked
    notes          how the rows were read; `warnings`: what looks wrong with them
    comparison     with compare=True: every protocol of the family, and nothing else
    json           everything, as `sotto simulate --json` prints it
    model_json     the model, byte for byte as the command line writes model.json
    """

    def __init__(self, told):
        self.json = json.loads(told["json"])
        self.model_json, self.study, self._page = told["model_json"], told["study"], told["page"]
        self.notes, self._errors = [pythonic(note) for note in told["notes"]], told["errors"]
        self.warnings = [pythonic(warning) for warning in told["warnings"]]
        for warning in self.warnings:
            warnings.warn(warning, stacklevel=3)
        self.model = json.loads(self.model_json) if self.model_json else None
        if self.model is None:
            return
        self.verdict, self.why = self.model["verdict"], self.model["why_verdict"]
        self.protocol, self.why_protocol = self.model["protocol"]["name"], self.model["protocol"]["why"]
        self.privacy = self.model["privacy"]["statement"]

    @property
    def page(self):
        """The page of the model as HTML."""
        if self.model is None:
            raise Error("simulate.compared", "a comparison has no model to show", "", "use .comparison")
        return self._page

    @property
    def _validation(self):
        measured = self.json.get("validation")
        return measured if measured and measured["devices"] > 0 else None

    @property
    def r2(self):
        """Share of the target's variance that the model explains; None where nothing was measured."""
        return None if self._validation is None else self._validation["r2"]

    @property
    def r2_interval(self):
        """Its 95 % interval."""
        return None if self._validation is None else (self._validation["low"], self._validation["high"])

    @property
    def coefficients(self):
        """The selected variables with their 95 % intervals."""
        return coefficient_frame(self.json["coefficients"])

    @property
    def metrics(self):
        """Mean, standard deviation and median over the repeats."""
        import pandas as pd

        return pd.DataFrame(self.json["metrics"]).T

    @property
    def baselines(self):
        """Errors on held-out rows: the model's, and those of models without privacy; empty for a made-up fleet."""
        import pandas as pd

        return pd.DataFrame(self._errors, columns=["model", "error"]).set_index("model")["error"]

    @property
    def comparison(self):
        """Every protocol of the family, with the mean of each metric; None without compare=True."""
        if "comparison" not in self.json:
            return None
        import pandas as pd

        rows = [{"protocol": row["protocol"], "mechanism": row["mechanism"], "learned": row.get("verdicts", {}).get("learned"),
                 "not_asked": row.get("refused", {}).get("message"),
                 **{key: value["mean"] for key, value in row.get("metrics", {}).items()}} for row in self.json["comparison"]]
        return pd.DataFrame(rows).set_index(["protocol", "mechanism"])

    def plot(self, ax=None):
        """The coefficients with their intervals, with matplotlib; returns the axes."""
        rows = self.coefficients
        return draw_intervals(list(rows.index), rows["estimate"], rows["low"], rows["high"], str(self), ax)

    def __repr__(self):
        if self.model is None:
            return f"Simulation: {len(self.json['comparison'])} protocols compared"
        measured = "" if self.r2 is None else f", R2 {self.r2:.2f} ({self.r2_interval[0]:.2f} to {self.r2_interval[1]:.2f})"
        return f"Simulation: {self.verdict} with {self.protocol}{measured}"
