# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The same seed gives the same bytes as the command line: every protocol that learns a model, every method of a fit."""

import json

import numpy as np
import pandas as pd
import pytest

import sotto

ROUNDS = ["auto", "cascade", "sparse-mean", "boost", "two-round", "multi-round", "ldp-iht", "federated-ht"]
ONCE = ["sparse-mean-once", "projected-regression", "kernel-ridge", "smooth-glm"]
LABELS = ["label-iht", "label-lasso"]
METHODS = ["dp-iht", "dp-sgd-ht", "dp-scsg-ht", "dp-scsg-ht-1", "dp-svrg-ht", "peeling", "select-fit", "dpsl-kt",
           "dpsl-kt-teacher", "dpsl-kt-paper", "frank-wolfe", "two-stage"]


def simulated(cli, tmp_path, words, **asked):
    """The model.json of the command line, and that of Python."""
    out = tmp_path / "run"
    cli("simulate", *words, "--threads", 1, "--out", out)
    return (out / "model.json").read_text(), sotto.simulate(threads=1, **asked).model_json


def test_the_lists_name_every_protocol_and_method(cli):
    import os
    import subprocess

    told = subprocess.run([os.environ["SOTTO"], "simulate", "--help"], capture_output=True, text=True, check=True).stdout
    known = told[told.index("auto | "):told.index("--mechanism")]
    for name in ROUNDS + ONCE + LABELS + ["number", "count", "event", "category", "crosstab", "top"]:
        assert name in known
    count = known.count("|") + known.count("collected once:")
    assert count + 1 == len(ROUNDS + ONCE + LABELS) + 6 + 1  # and vote, which learns no model
    told = subprocess.run([os.environ["SOTTO"], "fit", "--help"], capture_output=True, text=True, check=True).stdout
    methods = told[told.index("--method"):]
    methods = methods[methods.index("{") + 1:methods.index("}")].split(",")
    assert sorted(METHODS) == sorted(set(methods) - {"auto"})


@pytest.mark.parametrize("protocol", ROUNDS)
def test_a_protocol_in_rounds_gives_the_same_model(cli, tmp_path, protocol):
    words = ["--protocol", protocol, "--users", 400, "--dim", 6, "--samples", 20, "--nonzeros", 2, "--epsilon", 4,
             "--seed", 11]
    of_cli, of_python = simulated(cli, tmp_path, words, protocol=protocol, devices=400, features=6, samples=20,
                                  nonzeros=2, epsilon=4, seed=11)
    assert of_python == of_cli


@pytest.mark.parametrize("protocol", LABELS)
@pytest.mark.parametrize("label", ["one-bit", "window", "laplace"])
def test_a_label_protocol_gives_the_same_model(cli, tmp_path, protocol, label):
    words = ["--protocol", protocol, "--label", label, "--users", 3000, "--dim", 5, "--nonzeros", 2, "--epsilon", 2]
    of_cli, of_python = simulated(cli, tmp_path, words, protocol=protocol, label=label, devices=3000, features=5,
                                  nonzeros=2, epsilon=2)
    assert of_python == of_cli


@pytest.mark.parametrize("protocol", ONCE)
def test_a_protocol_that_collects_once_gives_the_same_model(cli, tmp_path, protocol):
    size = 2 if protocol == "kernel-ridge" else 6
    words = ["--protocol", protocol, "--users", 20000, "--dim", size, "--nonzeros", 2, "--epsilon", 2, "--seed", 5]
    of_cli, of_python = simulated(cli, tmp_path, words, protocol=protocol, devices=20000, features=size, nonzeros=2,
                                  epsilon=2, seed=5)
    assert of_python == of_cli


def test_a_frame_gives_the_model_of_its_file(cli, tmp_path, sensors):
    path = tmp_path / "rows.csv"
    sensors.to_csv(path, index=False)
    words = ["--data", path, "--user-column", "user", "--target", "y", "--epsilon", 4]
    of_cli, of_python = simulated(cli, tmp_path, words, data=sensors, user="user", target="y", epsilon=4, name=str(path))
    assert of_python == of_cli


def everyday(cli, tmp_path, words):
    out = tmp_path / "run"
    cli("simulate", "--epsilon", 2, "--threads", 1, "--seed", 7, "--out", out, *words)
    return (out / "model.json").read_text()


def test_numbers_give_the_same_model(cli, tmp_path):
    values = np.random.default_rng(4).gamma(2, 900, 3000).round(1)
    path = tmp_path / "value.csv"
    pd.DataFrame({"boot": values, "_boot": values}).to_csv(path, index=False)
    words = ["--protocol", "number", "--data", path, "--target", "boot", "--low", 0, "--high", 60000, "--quantiles",
             "0.5,0.9"]
    of_cli = everyday(cli, tmp_path, words)
    made = sotto.number(values, low=0, high=60000, quantiles=[0.5, 0.9], epsilon=2, seed=7, name="boot", threads=1)
    assert same_but_for_names(made.model_json, of_cli)


@pytest.mark.parametrize("kind", ["count", "event"])
def test_counts_and_events_give_the_same_model(cli, tmp_path, kind):
    values = np.random.default_rng(5).poisson(0.4, 3000).clip(0, 1 if kind == "event" else None)
    path = tmp_path / "value.csv"
    pd.DataFrame({"n": values, "_n": values}).to_csv(path, index=False)
    of_cli = everyday(cli, tmp_path, ["--protocol", kind, "--data", path, "--target", "n"])
    made = getattr(sotto, kind)(values, epsilon=2, seed=7, name="n", threads=1)
    assert same_but_for_names(made.model_json, of_cli)


def test_words_give_the_same_models(cli, tmp_path):
    random = np.random.default_rng(6)
    frame = pd.DataFrame({"mode": random.choice(["eco", "quick", "night"], 3000), "model": random.choice(["A", "B"], 3000)})
    path = tmp_path / "words.csv"
    frame.to_csv(path, index=False)
    data = ["--data", path, "--target", "mode"]
    of_cli = everyday(cli, tmp_path / "c", ["--protocol", "category", *data])
    assert same_but_for_names(sotto.category(frame["mode"], epsilon=2, seed=7, name="mode", threads=1).model_json, of_cli)
    of_cli = everyday(cli, tmp_path / "x", ["--protocol", "crosstab", *data, "--columns", "model"])
    made = sotto.crosstab(frame["mode"], frame["model"], epsilon=2, seed=7, names=("mode", "model"), threads=1)
    assert same_but_for_names(made.model_json, of_cli)
    of_cli = everyday(cli, tmp_path / "t", ["--protocol", "top", "--of", "string", *data])
    assert same_but_for_names(sotto.top(frame["mode"], epsilon=2, seed=7, name="mode", threads=1).model_json, of_cli)


def same_but_for_names(of_python, of_cli):
    """Values in memory have no file: the command that repeats the run names another, and nothing else differs."""
    ours, theirs = json.loads(of_python), json.loads(of_cli)
    name = theirs["command"].split(" --data ")[1].split()[0]
    known = ours["command"].split(" --data ")[1].split()[0]
    return of_python == of_cli.replace(f"--data {name} ", f"--data {known} ")


@pytest.fixture(name="table", scope="module")
def _table():
    random = np.random.default_rng(8)
    x = random.normal(size=(600, 5)).round(3)
    frame = pd.DataFrame(x, columns=list("abcde"))
    frame["y"] = (x[:, 0] - x[:, 2] + 0.5 * random.normal(size=600)).round(3)
    return frame


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("loss", ["linear", "logistic"])
def test_a_fit_gives_the_same_model(cli, tmp_path, table, method, loss):
    rows = table if loss == "linear" else table.assign(y=(table["y"] > 0).astype(int))
    path = tmp_path / "rows.csv"
    rows.to_csv(path, index=False)
    unproven = method == "dpsl-kt-paper"
    words = [path, "--loss", loss, "--method", method, "--epsilon", 2, "--seed", 3, "--folds", 0, "--out", tmp_path / "fit"]
    cli("fit", *words, *(["--unproven"] if unproven else []))
    made = sotto.fit(rows, loss=loss, method=method, epsilon=2, seed=3, unproven=unproven, name=str(path))
    assert made.model_json == (tmp_path / "fit" / "fit.json").read_text()


def test_a_fit_with_levels_and_folds_gives_the_same_model_and_metrics(cli, tmp_path, table):
    rows = table.assign(mode=np.where(table["b"] > 0, "eco", "quick"))
    path = tmp_path / "rows.csv"
    rows.to_csv(path, index=False)
    told = cli("fit", path, "--loss", "huber", "--levels", "mode=eco,quick", "--epsilon", 2, "--seed", 3, "--folds", 3,
               "--out", tmp_path / "fit")
    made = sotto.fit(rows, loss="huber", levels={"mode": ["eco", "quick"]}, epsilon=2, seed=3, folds=3, name=str(path))
    assert made.model_json == (tmp_path / "fit" / "fit.json").read_text()
    assert made.metrics == told["metrics"]


def test_an_estimator_gives_the_coefficients_of_the_command_line(cli, tmp_path, table):
    path = tmp_path / "rows.csv"
    table.to_csv(path, index=False)
    cli("fit", path, "--loss", "linear", "--epsilon", 2, "--seed", 3, "--folds", 0, "--l2", 0, "--out", tmp_path / "fit")
    theirs = json.loads((tmp_path / "fit" / "fit.json").read_text())
    with pytest.warns(sotto.PrivacyWarning):
        ours = sotto.SparseRegressor(epsilon=2, random_state=3).fit(table[list("abcde")], table["y"]).model_.model
    theirs.pop("command"), ours.pop("command")
    assert ours == theirs
