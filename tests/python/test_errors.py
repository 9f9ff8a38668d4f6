# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
import pickle

import pytest

import sotto
from sotto._errors import pythonic


def test_a_refusal_has_code_value_and_fix(sensors):
    with pytest.raises(sotto.Error) as caught:
        sotto.simulate(sensors, user="user", target="nothing", epsilon=2)
    error = caught.value
    assert error.code == "data.unknown_column"
    assert error.value == "nothing"
    assert error.fix
    assert "data.unknown_column" in str(error) and error.fix in str(error)


def test_a_refusal_is_a_value_error_and_can_be_pickled():
    error = sotto.Error("a.code", "what", "value", "fix")
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.what, again.value, again.fix) == ("a.code", "what", "value", "fix")


def test_options_are_named_as_python_names_them():
    assert pythonic("give --row-bound, or --users") == "give row_bound, or devices"
    assert pythonic("for a number use --loss linear; --loss is given") == 'for a number use loss="linear"; loss is given'
    assert pythonic("a--b") == "a--b"


def test_an_option_out_of_range_is_refused_by_name(sensors):
    with pytest.raises(sotto.Error) as caught:
        sotto.simulate(sensors, user="user", target="y", epsilon=2, test_share=3)
    assert caught.value.code == "usage"
    assert "test_share" in str(caught.value)


def test_an_epsilon_that_no_device_allows_is_refused():
    with pytest.raises(sotto.Error) as caught:
        sotto.simulate(devices=100, features=4, epsilon=50)
    assert "epsilon" in str(caught.value)


def test_a_misspelled_option_is_refused(sensors):
    with pytest.raises(sotto.Error) as caught:
        sotto.simulate(sensors, user="user", target="y", epsilon=2, epsilo=3)
    assert "epsilo" in str(caught.value)


def test_a_vote_has_no_model():
    with pytest.raises(sotto.Error) as caught:
        sotto.simulate(protocol="vote", devices=100, features=4, epsilon=1)
    assert caught.value.code == "simulate.vote"
