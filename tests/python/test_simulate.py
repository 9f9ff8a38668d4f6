# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
import pandas as pd
import pytest

import sotto


@pytest.fixture(name="sim", scope="module")
def _sim():
    from conftest import sensors

    return sotto.simulate(sensors(users=400), user="user", target="y", epsilon=8, protocol="cascade", seed=2)


def test_a_rehearsal_learns_what_moves_the_target(sim):
    assert sim.verdict in ("learned", "uncertain")
    assert {"reading0", "reading3"} <= set(sim.coefficients.index)
    assert sim.coefficients.loc["reading0", "estimate"] > 0 > sim.coefficients.loc["reading3", "estimate"]
    assert (sim.coefficients["low"] <= sim.coefficients["estimate"]).all()


def test_a_rehearsal_measures_itself(sim):
    assert sim.r2_interval[0] <= sim.r2 <= sim.r2_interval[1]
    assert sim.baselines.index[0] == "this model" and (sim.baselines > 0).all()
    assert "test_mse_ratio" in sim.metrics.index
    assert sim.privacy and sim.study.startswith("#")


def test_a_rehearsal_shows_itself(sim, tmp_path):
    shown = sim._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "&lt;svg" in shown and "<svg" not in shown
    assert len(sim.plot().get_yticklabels()) == len(sim.coefficients)
    assert "<svg" in sim.save(tmp_path / "page.html").read_text()
    assert sim.verdict in repr(sim)


def test_a_made_up_fleet_needs_no_rows():
    sim = sotto.simulate(devices=300, features=6, samples=20, nonzeros=2, epsilon=4, protocol="cascade", repeat=2)
    assert "l2_squared_error" in sim.metrics.index
    assert sim.baselines.empty


def test_a_comparison_has_a_row_for_each_protocol():
    sim = sotto.simulate(devices=1500, features=6, samples=20, nonzeros=2, epsilon=4, compare=True)
    assert isinstance(sim.comparison, pd.DataFrame) and len(sim.comparison) > 3
    with pytest.raises(sotto.Error):
        sim.page  # noqa: B018


def test_threads_do_not_change_the_result():
    made = [sotto.simulate(devices=300, features=6, samples=20, epsilon=4, protocol="cascade", threads=n).model_json
            for n in (1, 3)]
    assert made[0] == made[1]
