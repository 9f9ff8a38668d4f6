# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
import numpy as np
import pytest

import sotto


@pytest.fixture(name="boots", scope="module")
def _boots():
    return np.random.default_rng(1).gamma(3, 1000, 20000)


def test_a_number_tells_its_quantiles(boots):
    told = sotto.number(boots, low=0, high=60000, epsilon=2)
    assert list(told.quantiles.index) == [0.5, 0.9, 0.99]
    assert told.quantiles["value"].is_monotonic_increasing
    assert told.quantiles.loc[0.5, "value"] == pytest.approx(np.median(boots), rel=0.1)
    assert told.mean == pytest.approx(boots.mean(), rel=0.1)
    low, high = told.estimates.loc["mean", ["low", "high"]] if "mean" in told.estimates.index else (0, np.inf)
    assert low < boots.mean() < high
    assert told.shares["share"].sum() == pytest.approx(1, abs=0.2)


def test_fractions_are_told_in_their_own_unit():
    temperatures = np.random.default_rng(2).normal(21.5, 0.8, 20000).round(2)
    told = sotto.number(temperatures, low=10, high=35, epsilon=2, name="temperature")
    assert told.mean == pytest.approx(21.5, abs=0.3)
    assert told.quantiles.loc[0.5, "value"] == pytest.approx(21.5, abs=0.5)


def test_readings_beyond_the_stated_range_count_as_its_ends(boots):
    told = sotto.number(boots, low=0, high=3000, epsilon=4)
    assert told.mean < 3000


def test_a_range_that_ends_before_it_begins_is_refused(boots):
    with pytest.raises(sotto.Error) as caught:
        sotto.number(boots, low=5, high=1)
    assert caught.value.code == "simulate.bad_range"


def test_values_that_are_words_are_no_numbers():
    with pytest.raises(sotto.Error) as caught:
        sotto.number(["a", "b"], epsilon=1)
    assert caught.value.code == "data.not_a_number"


def test_users_with_several_readings_are_one_device_each(boots):
    told = sotto.number(boots[:4000], user=np.repeat(np.arange(1000), 4), epsilon=2)
    assert "samples = 4" in told.study and "devices = 1000" in told.study


def test_counts_events_and_words_are_told():
    random = np.random.default_rng(3)
    assert sotto.count(random.poisson(2, 20000), epsilon=2).mean == pytest.approx(2, abs=0.5)
    assert sotto.event(random.random(20000) < 0.1, epsilon=2).mean == pytest.approx(0.1, abs=0.03)
    modes = random.choice(["eco", "quick", None], 20000, p=[0.6, 0.3, 0.1])
    shares = sotto.category(modes, epsilon=2).shares
    assert shares.loc["eco", "share"] > shares.loc["quick", "share"]
    table = sotto.crosstab(modes, random.choice(["A", "B"], 20000), epsilon=2).table
    assert table.shape == (2, 2) or table.shape == (3, 2)
    assert sotto.top(modes, epsilon=4).shares.index[0] == "eco"


def test_an_answer_shows_itself(boots):
    told = sotto.number(boots, low=0, high=60000, epsilon=2)
    assert "&lt;svg" in told._repr_html_()
    assert told.plot().get_ylabel() == "share of devices"
    assert sotto.category(["a", "b"] * 500, epsilon=2).plot() is not None
    assert "number" in repr(told)
