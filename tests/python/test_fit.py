# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
import numpy as np
import pandas as pd
import pytest

import sotto


@pytest.fixture(name="table", scope="module")
def _table():
    random = np.random.default_rng(8)
    frame = pd.DataFrame(random.normal(size=(2000, 4)), columns=list("abcd"))
    frame["mode"] = np.where(random.random(2000) < 0.5, "eco", "quick")
    frame["y"] = 2 * frame["a"] - frame["c"] + (frame["mode"] == "eco") + 0.3 * random.normal(size=2000)
    return frame


@pytest.fixture(name="fit", scope="module")
def _fit(table):
    return sotto.fit(table, loss="linear", epsilon=4, levels={"mode": ["eco", "quick"]})


def test_a_fit_is_private_unless_its_coins_are_known(fit, table):
    assert fit.is_private and fit.privacy["epsilon"] == 4 and fit.privacy["statement"]
    assert not sotto.fit(table.drop(columns="mode"), loss="linear", epsilon=4, seed=1).is_private
    assert not sotto.fit(table.drop(columns="mode"), loss="linear", no_privacy=True).is_private


def test_a_fit_predicts_rows_with_words(fit, table):
    predicted = fit.predict(table)
    assert predicted.shape == (2000,)
    assert np.corrcoef(predicted, table["y"])[0, 1] > 0.8
    unknown = table.head(3).assign(mode="another")
    assert np.isfinite(fit.predict(unknown)).all()


def test_a_fit_without_the_column_that_it_needs_is_refused(fit, table):
    with pytest.raises(sotto.Error) as caught:
        fit.predict(table.drop(columns=fit.coefficients.index[0].split("=")[0]))
    assert caught.value.code == "data.unknown_column"


def test_no_epsilon_is_refused(table):
    with pytest.raises(sotto.Error) as caught:
        sotto.fit(table, loss="linear")
    assert caught.value.code == "fit.no_epsilon"


def test_words_without_levels_are_refused(table):
    with pytest.raises(sotto.Error) as caught:
        sotto.fit(table, loss="linear", epsilon=1)
    assert caught.value.code == "data.text_column" and "levels" in caught.value.fix


def test_a_column_that_numbers_the_rows_is_warned_of(table):
    rows = table.drop(columns="mode").assign(number=range(len(table)))
    with pytest.warns(UserWarning, match="number"):
        sotto.fit(rows, loss="linear", epsilon=1)


def test_a_comparison_has_a_row_for_each_method(table):
    rows = table.drop(columns="mode").head(300)
    fit = sotto.fit(rows, loss="linear", epsilon=2, folds=2, compare=True)
    assert len(fit.comparison) >= 10 and "validation_mse" in fit.metrics


def test_a_fit_shows_itself_and_loads_again(fit, table, tmp_path):
    assert "srcdoc" in fit._repr_html_()
    assert len(fit.plot().get_yticklabels()) == len(fit.coefficients)
    (tmp_path / "fit.json").write_text(fit.model_json)
    again = sotto.Fit.load(tmp_path / "fit.json")
    assert np.array_equal(again.predict(table), fit.predict(table))
    with pytest.raises(sotto.Error):
        again.page  # noqa: B018
