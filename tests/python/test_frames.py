# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
import numpy as np
import pandas as pd
import pytest

import sotto
from sotto import _frames


def test_numbers_are_read_where_they_lie():
    frame = pd.DataFrame(np.asfortranarray(np.random.default_rng(1).normal(size=(50, 3))), columns=list("abc"))
    rows = _frames.rows_of_frame(frame, "frame")
    for name, column in rows["columns"]:
        assert np.shares_memory(column, frame[name].to_numpy())
    matrix = np.zeros((50, 3), dtype=np.float32)
    for _, column in _frames.rows_of_matrix(matrix, list("abc"))["columns"]:
        assert np.shares_memory(column, matrix)


def test_users_keep_the_order_of_their_first_appearance():
    codes, names = _frames.users_of(["b", "a", "b", "c"])
    assert names == ["b", "a", "c"] and list(codes) == [0, 1, 0, 2]


def test_a_frame_reads_as_its_file_does(sensors, tmp_path):
    mixed = sensors.sample(frac=1, random_state=1).reset_index(drop=True)  # users are not contiguous
    mixed.loc[::17, "reading2"] = np.nan
    path = tmp_path / "rows.csv"
    mixed.to_csv(path, index=False)
    of_file = sotto.simulate(path, user="user", target="y", epsilon=4, protocol="cascade")
    of_frame = sotto.simulate(mixed, user="user", target="y", epsilon=4, protocol="cascade", name=str(path))
    assert of_frame.model_json == of_file.model_json
    assert of_frame.notes == of_file.notes


def test_a_frame_with_words_reads_as_its_file_does(sensors, tmp_path):
    sensors["mode"] = np.where(sensors["reading1"] > 0, "eco", "quick")
    sensors["is_new"] = sensors["reading6"] > 0
    path = tmp_path / "rows.csv"
    sensors.astype({"is_new": int}).to_csv(path, index=False)
    of_file = sotto.simulate(path, user="user", target="y", epsilon=4, protocol="cascade")
    of_frame = sotto.simulate(sensors, user="user", target="y", epsilon=4, protocol="cascade", name=str(path))
    assert of_frame.model_json == of_file.model_json


def test_a_dict_of_arrays_is_a_frame(sensors):
    of_frame = sotto.simulate(sensors, user="user", target="y", epsilon=4, protocol="cascade")
    of_dict = sotto.simulate({name: sensors[name].to_numpy() for name in sensors}, user="user", target="y", epsilon=4,
                             protocol="cascade")
    assert of_dict.model_json == of_frame.model_json


def test_integers_and_missing_integers_are_numbers():
    frame = pd.DataFrame({"a": [1, 2, 3], "b": pd.array([1, None, 3], dtype="Int64")})
    rows = _frames.rows_of_frame(frame, "frame")
    assert np.isnan(dict(rows["columns"])["b"][1])


@pytest.mark.parametrize("bad", [np.inf, 1e300])
def test_a_value_that_is_no_float_is_refused_with_its_row(sensors, bad):
    sensors.loc[7, "reading3"] = bad
    with pytest.raises(sotto.Error) as caught:
        sotto.simulate(sensors, user="user", target="y", epsilon=4)
    assert caught.value.code == "data.not_finite" and "row 7" in str(caught.value)


def test_a_missing_target_is_refused(sensors):
    sensors.loc[5, "y"] = np.nan
    with pytest.raises(sotto.Error, match="row 5"):
        sotto.simulate(sensors, user="user", target="y", epsilon=4)


def test_an_empty_frame_is_refused(sensors):
    with pytest.raises(sotto.Error) as caught:
        sotto.simulate(sensors.iloc[:0], user="user", target="y", epsilon=4)
    assert caught.value.code == "data.no_rows"


def test_one_user_is_refused(sensors):
    sensors["user"] = "same"
    with pytest.raises(sotto.Error) as caught:
        sotto.simulate(sensors, user="user", target="y", epsilon=4)
    assert caught.value.code == "data.one_user"
