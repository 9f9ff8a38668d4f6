# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""What the tests of the Python package share."""

import json
import os
import pathlib
import subprocess

import numpy as np
import pandas as pd
import pytest

SOURCE = pathlib.Path(os.environ["SOTTO_SOURCE"])


@pytest.fixture
def cli():
    """Runs the command line, and returns what it prints as JSON."""
    sotto = os.environ.get("SOTTO")
    if not sotto:
        pytest.skip("there is no command line to compare with")

    def run(*words):
        done = subprocess.run([sotto, *map(str, words), "--json"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    return run


def sensors(users=120, rows=12, seed=3):
    """Rows of devices: three of eight readings explain y."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(users * rows, 8)).round(3)
    y = (0.8 * x[:, 0] - 0.6 * x[:, 3] + 0.4 * x[:, 5] + 0.5 * random.normal(size=len(x))).round(3)
    frame = pd.DataFrame(x, columns=[f"reading{j}" for j in range(8)])
    frame.insert(0, "user", np.repeat([f"device-{u:03}" for u in range(users)], rows))
    frame["y"] = y
    return frame


@pytest.fixture(name="sensors")
def _sensors():
    return sensors()
