# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Sparse models with central differential privacy, as estimators of scikit-learn."""

import sys
import warnings

import numpy as np

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils.multiclass import check_classification_targets, type_of_target
    from sklearn.utils.validation import check_array, check_is_fitted, check_X_y
except ImportError as missing:
    raise ImportError("SparseRegressor and SparseClassifier are estimators of scikit-learn, which is not installed; "
                      "sotto.fit() does without it") from missing

from sotto import _sotto
from sotto._errors import Error, PrivacyWarning
from sotto._fit import Fit
from sotto._frames import rows_of_matrix
from sotto._progress import Progress
from sotto._words import words

_SETTINGS = """
    epsilon          privacy of one row, in nats; None fits without privacy
    delta            well below 1 / rows
    nonzeros         number of coefficients; by a public rule without it
    method           "auto", or a name of docs/CENTRAL.md
    adjacency        "add-remove", one row more or less, or "replace-one", the content of one row
    scale            "standard", "rows" or "none"; offsets and deviations are measured with noise, for moments_share of
                     the budget
    feature_transform   "none", or "log": sign(x) log(1 + |x|)
    row_bound, value_bound, target_bound   public sizes, needed with scale="none"
    independent      features are known to be independent
    l2, steps, step_size, l1_radius        of the method
    random_state     a number makes the fit repeatable, for rehearsals: the model is then not private
    progress         a function of the share that is done; True for a bar of tqdm, False for none

    After fit():
    coef_, intercept_    in the units of X; predictions clip features at 5 deviations, as the fit did
    privacy_             epsilon, delta and the statement in sentences
    model_               the Fit: a page in notebooks, model_json as the command line writes it

    Every fit on the same rows spends its epsilon again, and so does every fold of a cross-validation and every candidate
    of a grid search: what is chosen by them costs the sum. A PrivacyWarning says so. Tune on public rows, or not at all:
    the rules that choose method and nonzeros read no rows.
"""


class _Fits:
    """How often this process fitted the same rows: by their shape and a sample of their values."""

    def __init__(self):
        self._counts = {}

    def count(self, X, y):
        step = max(1, X.shape[0] // 64)
        key = hash((X.shape, X[::step, : min(X.shape[1], 64)].tobytes(), np.asarray(y)[::step].tobytes()))
        self._counts[key] = self._counts.get(key, 0) + 1
        return self._counts[key]


_fits = _Fits()


def _is_validated():
    """Whether scikit-learn fits this model to validate or to tune it."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith("sklearn.model_selection"):
            return True
        frame = frame.f_back
    return False


class _SparseModel(BaseEstimator):
    def __init__(self, epsilon=1.0, *, delta=1e-5, nonzeros=None, method="auto", adjacency="add-remove",
                 scale="standard", feature_transform="none", moments_share=0.1, row_bound=None, value_bound=None,
                 target_bound=None, independent=False, l2=0.0, steps=None, step_size=None, l1_radius=None,
                 random_state=None, progress=False):
        self.epsilon = epsilon
        self.delta = delta
        self.nonzeros = nonzeros
        self.method = method
        self.adjacency = adjacency
        self.scale = scale
        self.feature_transform = feature_transform
        self.moments_share = moments_share
        self.row_bound = row_bound
        self.value_bound = value_bound
        self.target_bound = target_bound
        self.independent = independent
        self.l2 = l2
        self.steps = steps
        self.step_size = step_size
        self.l1_radius = l1_radius
        self.random_state = random_state
        self.progress = progress

    def _fit(self, X, y, loss, target):
        names = self._names()
        if target in names:
            target = next(f"{target}{i}" for i in range(len(names) + 1) if f"{target}{i}" not in names)
        is_scaled = self.scale == "standard" and self.epsilon is not None
        nonzeros = self.nonzeros if self.nonzeros is None else min(self.nonzeros, X.shape[1])
        asked = words(target=target, loss=loss, epsilon=self.epsilon, delta=self.delta, nonzeros=nonzeros,
                      method=self.method, adjacency=self.adjacency, scale=self.scale, transform=self.feature_transform,
                      moments_share=self.moments_share if is_scaled else None, row_bound=self.row_bound,
                      value_bound=self.value_bound, target_bound=self.target_bound, independent=self.independent,
                      l2=self.l2, steps=self.steps, step_size=self.step_size, l1_radius=self.l1_radius,
                      no_privacy=self.epsilon is None, folds=0, seed=_seed(self.random_state))
        rows = rows_of_matrix(X, names, y=y, target=target)
        with Progress(self.progress, "fitting") as told:
            self.model_ = Fit.made(["array", *asked], rows, told)
        self._warn(X, y)  # what was refused has spent nothing
        self.privacy_ = self.model_.privacy
        self.intercept_ = self.model_.intercept
        self.coef_ = np.zeros(X.shape[1])
        for coefficient in self.model_.model["coefficients"]:
            self.coef_[coefficient["feature"]] = coefficient["per_unit"]
        return self

    def _names(self):
        named = getattr(self, "feature_names_in_", None)
        return [f"x{j}" for j in range(self.n_features_in_)] if named is None else [str(name) for name in named]

    def _warn(self, X, y):
        if self.epsilon is None:
            return
        if self.random_state is not None:
            warnings.warn("random_state makes the noise known: the model is a rehearsal, and not private", PrivacyWarning,
                          stacklevel=4)
        elif _is_validated():
            warnings.warn(f"tuning on private data spends: each fit of a validation or search spends epsilon {self.epsilon} "
                          "of the rows that it reads, what is chosen by them costs the sum, and scores are not private",
                          PrivacyWarning, stacklevel=4)
        elif (times := _fits.count(X, y)) > 1:
            warnings.warn(f"these rows were fitted {times} times in this session: each model spends epsilon "
                          f"{self.epsilon}, and together they cost up to {times * self.epsilon:g}", PrivacyWarning,
                          stacklevel=4)

    def _checked(self, X):
        check_is_fitted(self, "model_")
        self._check_feature_names(X, reset=False)
        X = check_array(X, dtype=[np.float64, np.float32])
        self._check_n_features(X, reset=False)
        return X

    def _predicted(self, X):
        X = self._checked(X)
        return _sotto.predict(self.model_.model_json, rows_of_matrix(X, self._names()))

    def _more_tags(self):
        # Noise is drawn anew in each fit, and a private model of few rows is a poor one: that is the privacy.
        return {"non_deterministic": self.random_state is None, "poor_score": True}

    def _repr_html_(self):
        model = getattr(self, "model_", None)
        return super()._repr_html_() if model is None else model._repr_html_()


def _seed(random_state):
    if random_state is None or isinstance(random_state, (int, np.integer)):
        return random_state
    return int(random_state.randint(2**31))  # an instance of numpy's RandomState


def _numeric(X, y, estimator):
    estimator._check_feature_names(X, reset=True)
    X, y = check_X_y(X, y, dtype=[np.float64, np.float32], y_numeric=estimator._estimator_type == "regressor",
                     ensure_min_samples=2, estimator=estimator)
    estimator._check_n_features(X, reset=True)
    return X, y


class SparseRegressor(RegressorMixin, _SparseModel):
    __doc__ = """A sparse linear model of a number, with central differential privacy for each row.

    >>> model = sotto.SparseRegressor(epsilon=1, nonzeros=10).fit(X, y)
    >>> model.predict(X2), model.privacy_["statement"]
""" + _SETTINGS

    def fit(self, X, y):
        """Fits the model to rows X, a matrix or DataFrame of numbers, and their targets y."""
        target = getattr(y, "name", None)
        X, y = _numeric(X, y, self)
        return self._fit(X, y.astype(np.float64, copy=False), "linear", str(target or "y"))

    def predict(self, X):
        """The expected target of each row."""
        return self._predicted(X)


class SparseClassifier(ClassifierMixin, _SparseModel):
    __doc__ = """A sparse logistic model of two classes, with central differential privacy for each row.

    >>> model = sotto.SparseClassifier(epsilon=1).fit(X, y)
    >>> model.predict(X2), model.predict_proba(X2)
""" + _SETTINGS

    def fit(self, X, y):
        """Fits the model to rows X, a matrix or DataFrame of numbers, and their classes y."""
        target = getattr(y, "name", None)
        X, y = _numeric(X, y, self)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) > 2:
            raise Error("fit.many_classes", "Only binary classification is supported. The type of the target is "
                        f"{type_of_target(y)}", f"{len(self.classes_)} classes", "fit one class against the others")
        if len(self.classes_) < 2:
            raise Error("fit.one_class", "there is only one class", str(self.classes_[0]), "fit rows of two classes")
        return self._fit(X, codes.astype(np.float64), "logistic", str(target or "y"))

    def predict_proba(self, X):
        """The probabilities of the two classes, a column for each."""
        second = self._predicted(X)
        return np.column_stack([1 - second, second])

    def decision_function(self, X):
        """The log-odds of the second class."""
        with np.errstate(divide="ignore"):
            second = self._predicted(X)
            return np.log(second) - np.log1p(-second)

    def predict(self, X):
        """The likelier class of each row."""
        second = self._predicted(X) > 0.5
        return self.classes_[second.astype(int)]

    def _more_tags(self):
        return {**super()._more_tags(), "binary_only": True}
