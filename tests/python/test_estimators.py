# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import sotto


def rehearsals():
    """The checks fit the same rows several times and compare: with known coins. An estimator as users make it, without,
    is tried below."""
    return [sotto.SparseRegressor(random_state=0), sotto.SparseClassifier(random_state=0)]


@pytest.mark.filterwarnings("ignore::sotto.PrivacyWarning")
@parametrize_with_checks(rehearsals())
def test_the_checks_of_scikit_learn_pass(estimator, check):
    check(estimator)


@pytest.fixture(name="rows", scope="module")
def _rows():
    random = np.random.default_rng(2)
    X = random.normal(size=(3000, 6))
    return X, X[:, 1] * 2 - X[:, 4] + 0.3 * random.normal(size=3000)


def test_a_regressor_learns(rows):
    X, y = rows
    model = sotto.SparseRegressor(epsilon=2, nonzeros=3).fit(X, y)
    assert model.score(X, y) > 0.8
    assert set(np.argsort(-abs(model.coef_))[:2]) == {1, 4}
    assert model.privacy_["epsilon"] == 2 and model.model_.is_private
    inside = np.abs(X).max(axis=1) < 2
    assert np.allclose(model.predict(X[inside]), X[inside] @ model.coef_ + model.intercept_)


def test_a_classifier_learns_words(rows):
    X, y = rows
    named = pd.DataFrame(X, columns=[f"sensor {j}" for j in range(6)])
    model = sotto.SparseClassifier(epsilon=2).fit(named, np.where(y > 0, "fault", "none"))
    assert list(model.classes_) == ["fault", "none"]
    assert model.score(named, np.where(y > 0, "fault", "none")) > 0.8
    assert np.allclose(model.predict_proba(named).sum(axis=1), 1)
    assert model.model_.coefficients.index[0] in named.columns


def test_three_classes_are_refused(rows):
    with pytest.raises(sotto.Error, match="Only binary classification"):
        sotto.SparseClassifier().fit(rows[0], np.arange(3000) % 3)


def test_without_epsilon_nothing_is_private(rows):
    model = sotto.SparseRegressor(epsilon=None).fit(*rows)
    assert not model.model_.is_private and model.score(*rows) > 0.9


def test_a_pipeline_and_a_pickle_predict_the_same(rows):
    model = make_pipeline(StandardScaler(), sotto.SparseRegressor(epsilon=2)).fit(*rows)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(rows[0]), model.predict(rows[0]))
    assert clone(model[-1]).get_params() == model[-1].get_params()


def test_tuning_on_private_data_warns(rows):
    with pytest.warns(sotto.PrivacyWarning, match="tuning on private data spends"):
        cross_val_score(sotto.SparseRegressor(epsilon=2), *rows, cv=2)
    with pytest.warns(sotto.PrivacyWarning, match="tuning on private data spends"):
        GridSearchCV(sotto.SparseRegressor(), {"nonzeros": [2, 3]}, cv=2).fit(*rows)


def test_a_second_fit_of_the_same_rows_warns():
    X = np.random.default_rng(77).normal(size=(200, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("error", sotto.PrivacyWarning)
        sotto.SparseRegressor(epsilon=1.5).fit(X, X[:, 0])
    with pytest.warns(sotto.PrivacyWarning, match="2 times.*3"):
        sotto.SparseRegressor(epsilon=1.5).fit(X, X[:, 0])


def test_a_refused_fit_spends_nothing():
    X = np.random.default_rng(78).normal(size=(200, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("error", sotto.PrivacyWarning)
        with pytest.raises(sotto.Error):
            sotto.SparseRegressor(epsilon=-1).fit(X, X[:, 0])
        sotto.SparseRegressor(epsilon=1).fit(X, X[:, 0])


def test_known_coins_warn(rows):
    with pytest.warns(sotto.PrivacyWarning, match="rehearsal"):
        sotto.SparseRegressor(random_state=1).fit(*rows)


def test_a_model_shows_its_page_once_it_is_fitted(rows):
    model = sotto.SparseRegressor(epsilon=2)
    assert "srcdoc" not in (model._repr_html_() or "")
    with pytest.warns(sotto.PrivacyWarning):  # other tests fitted these rows
        assert "srcdoc" in model.fit(*rows)._repr_html_()


def test_floats_of_both_widths_give_the_same_model(rows):
    X, y = (values.astype(np.float32) for values in rows)
    made = []
    for width in (np.float32, np.float64):
        with pytest.warns(sotto.PrivacyWarning):
            made.append(sotto.SparseRegressor(random_state=3).fit(X.astype(width), y.astype(width)).model_.model_json)
    assert made[0] == made[1]
