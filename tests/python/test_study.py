# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
import csv
import os
import pathlib
import random
import shutil
import subprocess

import numpy as np
import pytest

import sotto

NAMES = ["door", "drain", "drum", "inlet", "motor", "pump"]
STUDY = """name = "laundry"
[privacy]
epsilon = 4.0
[protocol]
kind = "auto"
devices = 60
sparsity = 2
[study]
samples = 20
minimum = 1
[target]
name = "energy"
unit = "Wh"
low = -400
high = 400
""" + "".join(f'[[feature]]\nname = "{name}"\nunit = "K"\nlow = -400\nhigh = 400\n' for name in NAMES)


def device_rows(number):
    """What a device holds: 20 days, with the drum behind the energy."""
    draw = random.Random(number)
    lines = []
    for _ in range(20):
        row = [draw.gauss(0, 100) for _ in NAMES]
        lines.append(",".join(f"{round(value)}" for value in [*row, 0.9 * row[2] + draw.gauss(0, 30)]))
    return "\n".join(lines) + "\n"


class Fleet:
    """Sixty device processes."""

    def __init__(self, work, directory):
        self.work, self.answered = work, set()
        run(work, "enrol", directory, "--count", 60, "--out", "credentials.csv")
        with open(work / "credentials.csv", newline="", encoding="utf-8") as file:
            self.credentials = list(csv.DictReader(file))

    def answer(self, directory, number):
        """The reports of the devices that the round asks."""
        reports = []
        for i, issued in enumerate(self.credentials):
            if i in self.answered:
                continue
            (self.work / "rows.csv").write_text(device_rows(i))
            done = subprocess.run([os.environ["SOTTO_ONE_ANSWER"], f"{i}.ledger", f"{directory}/manifest.bin",
                                   f"{directory}/round-{number}.bin", issued["pseudonym"], issued["key"], "@rows.csv"],
                                  capture_output=True, text=True, cwd=self.work, timeout=60, check=False)
            if done.returncode == 0:
                self.answered.add(i)
                reports.append(bytes.fromhex(done.stdout.strip()))
        return reports


def run(work, *words):
    done = subprocess.run([os.environ["SOTTO"], *map(str, words)], capture_output=True, text=True, cwd=work, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(name="asked")
def _asked(tmp_path):
    if "SOTTO" not in os.environ or "SOTTO_ONE_ANSWER" not in os.environ:
        pytest.skip("there is no command line, or no device")
    (tmp_path / "study.toml").write_text(STUDY)
    run(tmp_path, "study", "study.toml", "--out", "by-hand/run")
    fleet = Fleet(tmp_path, "by-hand/run")
    shutil.copytree(tmp_path / "by-hand", tmp_path / "by-python")
    return tmp_path, fleet


def test_a_study_gives_the_model_of_the_command_line(asked, monkeypatch):
    work, fleet = asked
    monkeypatch.chdir(work / "by-python")  # a model names the directory as it was given
    study = sotto.Study.load("run")
    assert (study.name, study.round, study.is_finished) == ("laundry", 1, False)
    assert study.reports.sum() == 0
    number = 0
    while not study.is_finished:
        number += 1
        reports = fleet.answer("by-hand/run", number)
        (work / "reports.hex").write_text("".join(report.hex() + "\n" for report in reports))
        run(work / "by-hand", "estimate", "run", *(["../reports.hex"] if reports else []), "--close")
        with pytest.raises(sotto.Error) as caught:
            study.model()
        assert caught.value.code in ("study.not_finished", "estimate.no_run")
        if number == 1:
            assert (pathlib.Path(study.round_file).read_bytes() == (work / "by-hand/run/round-1.bin").read_bytes())
        study.collect(np.array([list(report) for report in reports], dtype=np.uint8) if reports else [])
        study.close()
        if not study.is_finished:
            theirs = (work / f"by-hand/run/round-{number + 1}.bin").read_bytes()
            assert (work / f"by-python/run/round-{number + 1}.bin").read_bytes() == theirs
    model = study.model()
    assert model.model_json == (work / "by-hand/run/model.json").read_text() == (work / "by-python/run/model.json").read_text()
    assert (work / "by-python/run/report.html").read_text() == (work / "by-hand/run/report.html").read_text() == model.page
    assert study.reports["accepted"] == 60
    assert list(model.coefficients.columns) == ["estimate", "low", "high", "found"]
    assert "srcdoc" in model._repr_html_()
    assert sotto.StudyModel.load(work / "by-python/run/model.json").verdict == model.verdict
    with pytest.raises(sotto.Error) as caught:
        study.close()
    assert caught.value.code == "collect.finished"


def test_reports_come_as_files_bytes_and_arrays_and_count_once(asked):
    work, fleet = asked
    reports = fleet.answer("by-python/run", 1)
    assert len(reports) > 3
    (work / "one.hex").write_text(reports[0].hex() + "\n")
    study = sotto.Study.load(work / "by-python/run")
    study.collect(work / "one.hex").collect(reports[1])
    study.collect(np.array([list(report) for report in reports[2:]], dtype=np.uint8)).collect(reports)
    assert study.reports["accepted"] == len(reports) and study.reports["duplicate"] == len(reports)
    study.collect(b"nonsense")
    assert study.reports["malformed"] == 1
    assert str(len(reports)) in repr(study)
    decoded = sotto.decode(np.array([list(report) for report in reports], dtype=np.uint8))
    assert decoded["sealed"].all() and decoded["pseudonym"].nunique() == len(reports)


def test_a_directory_that_holds_no_study_is_refused(tmp_path):
    with pytest.raises(sotto.Error) as caught:
        sotto.Study.load(tmp_path / "nowhere")
    assert caught.value.code == "io.cannot_read"


def test_the_master_key_is_needed_to_collect(asked):
    work, fleet = asked
    reports = fleet.answer("by-python/run", 1)
    (work / "by-python/run/master.key").unlink()
    with pytest.raises(sotto.Error) as caught:
        sotto.Study.load(work / "by-python/run").collect(reports)
    assert caught.value.code == "estimate.no_key"
