# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Sparse models with central differential privacy, of rows that this machine may hold."""

import json
import warnings

from sotto import _sotto
from sotto._errors import Error, pythonic
from sotto._frames import is_path, rows_of_frame
from sotto._page import HasPage, draw_intervals
from sotto._progress import Progress
from sotto._words import column_list, level_words, words


def fit(data, *, target="y", epsilon=None, delta=None, method=None, loss=None, nonzeros=None, levels=None,
        leave_out=None, missing_feature=None, positive=None, target_kind=None, scale=None, transform=None, scales=None,
        moments_share=None, row_bound=None, value_bound=None, target_bound=None, independent=False, adjacency=None,
        l2=None, steps=None, step_size=None, l1_radius=None, no_privacy=False, unproven=False, folds=0, test=None,
        repeat=None, compare=False, limits=False, seed=None, name="frame", progress=None):
    """Learns a sparse model of rows that this machine holds, with differential privacy for each row. SparseRegressor and
    SparseClassifier do the same in the manner of scikit-learn; this is all of `sotto fit`.

    data       a pandas DataFrame, a dict of arrays, or the path of a CSV file
    target     its column that is learned
    epsilon    privacy of one row, in nats; no_privacy=True fits without
    loss       "logistic" for two classes (without it), "linear" or "huber" for a number
    method     "auto", or one of docs/CENTRAL.md
    nonzeros   number of coefficients; by a public rule without it
    levels     {"color": ["red", "green"]}: public levels of columns of text
    folds      of a cross-validation, whose numbers are not private; 0, as here, for none
    compare    validate all methods, for .comparison
    seed       repeatable, for rehearsals: the result is then not private

    >>> model = sotto.fit(frame, target="fault", epsilon=1)
    >>> model.coefficients, model.privacy["statement"], model.predict(others)
    """
    rows = {}
    if not is_path(data):
        rows = rows_of_frame(data, name, as_text=levels is not None or positive is not None)
    else:
        name = str(data)
    asked = words(target=target, epsilon=epsilon, delta=delta, method=method, loss=loss, nonzeros=nonzeros,
                  levels=level_words(levels), leave_out=column_list(leave_out),
                  missing_feature=column_list(missing_feature), positive=positive, target_kind=target_kind, scale=scale,
                  transform=transform, scales=scales, moments_share=moments_share, row_bound=row_bound,
                  value_bound=value_bound, target_bound=target_bound, independent=independent, adjacency=adjacency, l2=l2,
                  steps=steps, step_size=step_size, l1_radius=l1_radius, no_privacy=no_privacy, unproven=unproven,
                  folds=folds, test=test, repeat=repeat, compare=compare, limits=limits, seed=seed)
    with Progress(progress, "fitting") as told:
        return Fit.made([name, *asked], rows, told)


class Fit(HasPage):
    """A model of rows that a server holds; made by sotto.fit().

    coefficients   the nonzero ones, strongest first: `value` of the scaled feature, `per_unit` of the feature itself
    intercept      belongs to `per_unit`
    method         and `why_method`
    is_private     whether epsilon covers every number of the model
    privacy        epsilon, delta and the statement in sentences, as a dict
    metrics        of the validation, if there was one: never private
    comparison     with compare=True: every method, as a DataFrame
    json           everything, as `sotto fit --json` prints it
    model_json     the model, byte for byte as the command line writes fit.json
    """

    def __init__(self, model_json, outcome=None, page=""):
        self.model_json, self.json, self._page = model_json, outcome, page
        self.model = json.loads(model_json)
        self.intercept = self.model["intercept"]
        self.method, self.why_method = self.model["method"]["name"], self.model["method"]["why"]
        self.privacy = self.model["privacy"]

    @classmethod
    def made(cls, asked, rows, progress):
        """The fit of rows as _frames.py makes them."""
        told = _sotto.fit(asked, rows, progress)
        outcome = json.loads(told["json"])
        for warning in outcome["warnings"]:
            warnings.warn(pythonic(warning), stacklevel=3)
        return cls(told["model_json"], outcome, told["page"])

    @classmethod
    def load(cls, path):
        """The model in a fit.json."""
        with open(path, encoding="utf-8") as file:
            return cls(file.read())

    @property
    def page(self):
        """The page of the model as HTML."""
        if not self._page:
            raise Error("fit.no_page", "a model that was loaded has no page", "", "sotto report shows it")
        return self._page

    @property
    def is_private(self):
        """Whether epsilon covers every number of the model against whoever sees all of it."""
        return bool(self.privacy["proven"])

    @property
    def coefficients(self):
        """The nonzero coefficients, strongest first."""
        import pandas as pd

        return pd.DataFrame(self.model["coefficients"], columns=["name", "value", "per_unit"]).set_index("name")

    @property
    def metrics(self):
        """Of the validation, if there was one. They are computed from the rows without noise: never private."""
        return {} if self.json is None else self.json["metrics"]

    @property
    def comparison(self):
        """Every method on the same folds; None without compare=True."""
        if self.json is None or "comparison" not in self.json:
            return None
        import pandas as pd

        rows = [{**{key: value for key, value in row.items() if key != "metrics"},
                 **{key: value["mean"] for key, value in row["metrics"].items() if value}} for row in self.json["comparison"]]
        return pd.DataFrame(rows).set_index("method")

    def predict(self, data):
        """The expected target of every row, or the probability of class 1, as an array. Features are transformed and
        clipped as in the fit."""
        if is_path(data):
            import pandas as pd

            data = pd.read_csv(data)
        kinds = {coefficient["made_of"] for coefficient in self.model["coefficients"]}
        return _sotto.predict(self.model_json, rows_of_frame(data, "frame", as_text=bool(kinds & {"level", "other"})))

    def plot(self, ax=None):
        """The coefficients of the scaled features, with matplotlib; returns the axes. There are no intervals."""
        values = self.coefficients["value"]
        return draw_intervals(list(values.index), values, values, values, str(self), ax)

    def __repr__(self):
        spent = f"epsilon {self.privacy['epsilon']:g}" if self.is_private else "not private"
        return f"Fit: {len(self.model['coefficients'])} coefficients by {self.method}, {spent}"
