# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
import sotto


def make(**more):
    return sotto.plan(devices=5000, samples=50, features=12, nonzeros=3, epsilon=2, **more)


def test_a_plan_says_what_a_fleet_can_tell():
    plan = make(rate=100)
    assert plan.verdict in ("learnable", "uncertain", "cannot learn")
    assert plan.table.index[0] == plan.protocol
    assert {"verdict", "predicted", "f1", "rounds"} <= set(plan.table.columns)
    assert plan.error_interval[0] <= plan.error <= plan.error_interval[1]
    assert list(plan.by_devices.index) == sorted(plan.by_devices.index)
    assert len(plan.if_wrong) > 3


def test_the_plan_is_that_of_the_command_line(cli):
    told = cli("plan", "--users", 5000, "--samples", 50, "--dim", 12, "--nonzeros", 3, "--epsilon", 2, "--quick")
    assert make(quick=True).json == told


def test_devices_needed_grow_as_the_error_shrinks():
    plan = make(quick=True, protocol="cascade")
    few, many = plan.devices_needed(error=0.2), plan.devices_needed(error=0.05)
    assert few is not None and many is not None and few < many


def test_a_plan_shows_itself():
    plan = make(protocol="cascade")
    assert "srcdoc" in plan._repr_html_() and "&lt;svg" in plan._repr_html_()
    axes = plan.plot()
    assert axes.get_xlabel() == "devices"
