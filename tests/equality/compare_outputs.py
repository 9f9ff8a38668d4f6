#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Proves that two builds of `sotto` write the same bytes: compare_outputs.py OLD NEW [--only TEXT] [--keep DIRECTORY]

A change of the code's layout must not change what the product says. Every case is a command with a fixed seed, over all protocols with
their ways, links and labels, studies of every kind, and the methods of `fit`. Each is run by both builds in a directory of its own; what is
compared is the exit code, stdout, stderr and every file that the command wrote. Exits with 1 if anything differs.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

# The store of a run is a database: its pages follow the order in which SQLite allocated them, which threads decide. What it holds is
# compared by `decode` and by the model that is made from it.
NOT_COMPARED = {"run.sqlite", "run.sqlite-wal", "run.sqlite-shm"}

FLEET = {"users": 4000, "dim": 32, "nonzeros": 4, "signal": 0.4, "samples": 60, "epsilon": 4}
ITEMS = {"users": 12000, "dim": 20, "nonzeros": 3, "signal": 0.5, "samples": 1, "epsilon": 4}
LABELS = {**ITEMS, "users": 6000}
MEANS = {"users": 6000, "dim": 64, "nonzeros": 5, "epsilon": 8}
LINES = {"users": 4000, "dim": 8, "nonzeros": 2, "epsilon": 8}
KERNEL = {"users": 10000, "dim": 1, "epsilon": 8}
SMOOTH = {"users": 5000, "dim": 5, "epsilon": 8}

METHODS = ["dp-iht", "dp-sgd-ht", "dp-scsg-ht", "dp-scsg-ht-1", "dp-svrg-ht", "peeling", "select-fit", "dpsl-kt", "dpsl-kt-teacher",
           "dpsl-kt-paper", "frank-wolfe", "two-stage", "auto"]

# How long a run took, which no build repeats, and the version of the program.
TIMES = [(re.compile(rb'("seconds[a-z_]*"|"reports_per_second"): *[0-9.e+-]+'), rb"\1: 0"),
         (re.compile(rb"in [0-9.]+ s: [0-9]+ reports a second"), b"in 0 s: 0 reports a second"),
         (re.compile(rb"\bin [0-9.]+ s\b"), b"in 0 s"), (re.compile(rb"\b[0-9.]+ s(econds)?\b"), b"0 s"),
         (re.compile(rb"sotto [0-9]+\.[0-9]+\.[0-9]+"), b"sotto VERSION")]


def without_times(data):
    for pattern, replacement in TIMES:
        data = pattern.sub(replacement, data)
    return data


def options(values, **more):
    """Options of a command line: {"users": 4} is --users 4."""
    return [text for key, value in {**values, **more}.items() for text in (f"--{key.replace('_', '-')}", str(value))]


def simulations():
    """name -> arguments of `simulate`."""
    cases = {}
    for protocol in ("auto", "cascade", "boost", "two-round", "multi-round", "sparse-mean", "federated-ht"):
        for mechanism in ("default", "paper"):
            cases[f"{protocol} {mechanism}"] = options(FLEET, protocol=protocol, mechanism=mechanism)
    cases["cascade correlated"] = options(FLEET, protocol="cascade", design="correlated")
    cases["auto correlated, few rows"] = options(FLEET, design="correlated", samples=12)
    cases["auto unequal rows"] = options(FLEET, samples="30:90", empty=0.1, dropout=0.2)
    cases["auto heavy tails"] = options(FLEET, noise="student:3")
    cases["auto hopeless"] = options(FLEET, users=200, epsilon=0.5, signal=0.1)
    cases["multi-round rounds"] = options(FLEET, protocol="multi-round", rounds=3)
    cases["federated-ht classes"] = options(FLEET, protocol="federated-ht", link="logistic")
    for link in ("identity", "cosine", "logistic"):
        for design in ("rademacher", "independent"):
            for mechanism in ("default", "paper"):
                cases[f"ldp-iht {link} {design} {mechanism}"] = options(ITEMS, protocol="ldp-iht", link=link, design=design,
                                                                        mechanism=mechanism)
    cases["ldp-iht rounds"] = options(ITEMS, protocol="ldp-iht", rounds=5)
    for protocol in ("label-iht", "label-lasso"):
        for label in ("auto", "one-bit", "window", "laplace", "gaussian"):
            cases[f"{protocol} {label}"] = options(LABELS, protocol=protocol, label=label, delta=1e-3 if label == "gaussian" else 0)
    cases["label-iht logistic"] = options(LABELS, protocol="label-iht", link="logistic")
    cases["label-iht normal"] = options(LABELS, protocol="label-iht", assume_law="normal")
    for mechanism in ("default", "paper", "direct", "projected"):
        cases[f"sparse-mean-once {mechanism}"] = options(MEANS, protocol="sparse-mean-once", mechanism=mechanism, users=12000)
    cases["sparse-mean direct"] = options(MEANS, protocol="sparse-mean", mechanism="direct")
    for mechanism in ("default", "paper", "moments"):
        cases[f"projected-regression {mechanism}"] = options(LINES, protocol="projected-regression", mechanism=mechanism,
                                                             users=60000 if mechanism == "paper" else 4000)
    cases["projected-regression pure"] = options(LINES, protocol="projected-regression", delta=0)
    for mechanism in ("default", "paper", "moments", "binned"):
        cases[f"kernel-ridge {mechanism}"] = options(KERNEL, protocol="kernel-ridge", mechanism=mechanism,
                                                     users=60000 if mechanism == "paper" else 10000)
    for mechanism in ("default", "paper", "direct"):
        for link in ("logistic", "identity"):
            cases[f"smooth-glm {link} {mechanism}"] = options(SMOOTH, protocol="smooth-glm", mechanism=mechanism, link=link,
                                                              users=100000 if mechanism == "paper" else 5000)
    cases["smooth-glm degree"] = options(SMOOTH, protocol="smooth-glm", mechanism="paper", degree=2, users=100000)
    cases["vote"] = options({"users": 5000, "dim": 64, "epsilon": 2}, protocol="vote")
    cases["vote empty"] = options({"users": 5000, "dim": 300, "epsilon": 1}, protocol="vote", empty=0.3, heavy=4)
    return cases


COMPARISONS = {
    "users": options(FLEET),
    "items": options(ITEMS, protocol="ldp-iht"),
    "labels": options(LABELS, protocol="label-iht"),
    "means": options(FLEET, protocol="sparse-mean"),
    "lines": options(LINES, protocol="projected-regression"),
    "kernel": options(KERNEL, protocol="kernel-ridge"),
}

STUDIES = {
    "vote": 'kind = "vote"\nfeatures = 40\n',
    "vote_names": 'kind = "vote"\nnames = ["wifi", "screen", "gps"]\n',
    "vote_given": 'kind = "vote"\nfeatures = 64\nselector = "given"\n',
    "block": 'kind = "block"\nwidth = 16\n',
    "value": 'kind = "value"\n',
    "direction": 'kind = "direction"\ndimension = 64\n',
    "bin": 'kind = "bin"\nbins = 20\n',
    "bin_hadamard": 'kind = "bin"\nbins = 20\nmechanism = "hadamard_response"\n',
}
PROTOCOL_KEYS = {
    "cascade": 'samples = 100', "boost": 'samples = 100', "two-round": 'samples = 100', "multi-round": 'samples = 100', "auto": 'samples = 100',
    "sparse-mean": 'samples = 100', "ldp-iht": 'samples = 1', "label-iht": 'samples = 1', "label-lasso": 'samples = 1',
    "federated-ht": 'samples = 100', "sparse-mean-once": 'samples = 1', "projected-regression": 'samples = 1', "smooth-glm": 'samples = 1',
    "kernel-ridge": 'samples = 1', "no-such-protocol": 'samples = 1',
}


def study_text(protocol, study, devices):
    once = protocol in ("sparse-mean-once", "projected-regression", "smooth-glm", "kernel-ridge")
    features, sparsity = (1, 1) if protocol == "kernel-ridge" else (8, 2)
    link = 'link = "logistic"\n' if protocol == "smooth-glm" else ""
    delta = "delta = 1e-6\n" if once else ""
    return (f'name = "equal"\n[privacy]\nepsilon = 4.0\n{delta}[study]\n{study}\n[protocol]\nkind = "{protocol}"\n'
            f'devices = {devices}\nfeatures = {features}\nsparsity = {sparsity}\nnorm = 0.73\n{link}')


def write_inputs(directory):
    """Files that commands read: rows of users, rows for `fit`, studies."""
    rng = random.Random(7)
    names = [f"x{i}" for i in range(6)]
    lines = ["user," + ",".join(names) + ",y"]
    classes = [",".join(names) + ",y"]
    sparse = []
    for row in range(6000):
        x = [rng.gauss(2.0 * i, 1 + i) for i in range(6)]
        y = 0.8 * x[0] - 0.4 * (x[3] - 6) + rng.gauss(0, 0.5)
        lines.append(f"u{row // 20}," + ",".join(f"{v:.4f}" for v in x) + f",{y:.4f}")
        label = 1 if y > 0 else 0
        classes.append(",".join(f"{v:.4f}" for v in x) + f",{label}")
        sparse.append(f"{2 * label - 1} " + " ".join(f"{i + 1}:{v:.3f}" for i, v in enumerate(x) if i % 2 == row % 2))
    (directory / "users.csv").write_text("\n".join(lines) + "\n")
    (directory / "rows.csv").write_text("\n".join(classes) + "\n")
    (directory / "rows.libsvm").write_text("\n".join(sparse) + "\n")
    (directory / "scales.csv").write_text("name,offset,deviation\n" + "".join(f"x{i},{2 * i},{1 + i}\n" for i in range(6)))
    for name, text in STUDIES.items():
        (directory / f"{name}.toml").write_text(f'name = "equal"\n[privacy]\nepsilon = 2.0\n[question]\n{text}')
    for protocol, study in PROTOCOL_KEYS.items():
        (directory / f"protocol_{protocol}.toml").write_text(study_text(protocol, study, 10**7))
        (directory / f"few_{protocol}.toml").write_text(study_text(protocol, study, 40))


def all_cases():
    """name -> list of commands, run one after the other in one directory."""
    cases = {}
    for name, arguments in simulations().items():
        run = ["simulate", *arguments, "--seed", "5", "--threads", "1"]
        cases[f"simulate {name}"] = [[*run, "--out", "run"], ["report", "run", "--out", "again.html"], ["decode", "run", "--first", "3"]]
    for protocol in ("auto", "boost", "sparse-mean"):
        cases[f"repeat {protocol}"] = [["simulate", *options(FLEET, protocol=protocol), "--seed", "5", "--repeat", "3", "--json"]]
    for name, arguments in COMPARISONS.items():
        cases[f"compare {name}"] = [["simulate", *arguments, "--compare", "--seed", "5", "--threads", "1", *tail] for tail in ([], ["--json"])]
    data = ["simulate", "--data", "users.csv", "--user-column", "user", "--target", "y", "--epsilon", "6", "--seed", "5", "--threads", "1"]
    cases["data users"] = [[*data, "--out", "run"], ["predict", "run", "users.csv"], ["predict", "run", "users.csv", "--json"]]
    cases["data compare"] = [[*data, "--compare", "--json"]]
    cases["data items"] = [[*data, "--row-is-device", "--protocol", "ldp-iht", "--out", "run"], ["predict", "run", "users.csv"]]
    cases["data labels"] = [[*data, "--row-is-device", "--protocol", "label-iht", "--out", "run"]]
    cases["bench data"] = [["bench", "data", "users.csv", "--user-column", "user", "--target", "y", "--epsilon", "6", "--seed", "5", "--json"]]
    for name in STUDIES:
        cases[f"study {name}"] = [["study", f"{name}.toml"], ["study", f"{name}.toml", "--seed", "9", "--out", "made", "--json"],
                                  ["decode", "made/manifest.bin"], ["decode", "made/round-1.bin"]]
    for protocol in PROTOCOL_KEYS:
        for size in ("protocol", "few"):
            file = f"{size}_{protocol}.toml"
            cases[f"study {size} {protocol}"] = [["study", file], ["study", file, "--seed", "9", "--out", "made", "--json"],
                                                 ["decode", "made/manifest.bin"], ["decode", "made/round-1.bin"],
                                                 ["estimate", "made"], ["estimate", "made", "--close", "--json"]]
    cases["study diff"] = [["study", "--diff", "protocol_cascade.toml", "protocol_boost.toml"]]
    for method in METHODS:
        unproven = ["--unproven"] if method == "dpsl-kt-paper" else []
        fit = ["fit", "--method", method, "--nonzeros", "3", "--epsilon", "2", "--delta", "1e-6", "--seed", "3", "--folds", "0", *unproven]
        cases[f"fit {method}"] = [
            [*fit, "rows.csv", "--target", "y", "--out", "paid"],
            [*fit, "rows.csv", "--target", "y", "--scales", "scales.csv", "--out", "given", "--json"],
            [*fit, "rows.libsvm", "--features", "6", "--scale", "rows", "--out", "sparse"],
            [*fit, "--synthetic", "2000,12,3", "--out", "synthetic"],
            [*fit, "--synthetic", "2000,12,3", "--loss", "huber", "--json"],
            ["fit", "--method", method, "--nonzeros", "3", "--synthetic", "2000,12,3", "--no-privacy", "--seed", "3", "--json", *unproven]]
    cases["fit compare"] = [["fit", "rows.csv", "--target", "y", "--nonzeros", "3", "--epsilon", "2", "--seed", "3", "--folds", "3",
                             "--compare", "--json"]]
    cases["audit"] = [["audit", "--json"]]
    return cases


def run_case(binary, commands, inputs, directory):
    """Returns name -> digest of everything that the commands said and wrote."""
    shutil.copytree(inputs, directory)
    before = set(os.listdir(directory))
    found = {}
    environment = {**os.environ, "LC_ALL": "C", "COLUMNS": "100", "TZ": "UTC"}
    for number, command in enumerate(commands, 1):
        done = subprocess.run([binary, *command], cwd=directory, capture_output=True, env=environment, check=False)
        for name, data in (("exit code", str(done.returncode).encode()), ("stdout", done.stdout), ("stderr", done.stderr)):
            found[f"{number} {name}"] = without_times(data)
    for path in sorted(directory.rglob("*")):
        relative = path.relative_to(directory)
        if path.is_file() and relative.parts[0] not in before and path.name not in NOT_COMPARED:
            found[f"file {relative}"] = without_times(path.read_bytes())
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--only", default="", help="cases whose name has this text")
    parser.add_argument("--keep", help="directory that keeps what differs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    binaries = [str(pathlib.Path(b).resolve()) for b in (options.old, options.new)]
    compared = different = succeeded = commands = 0
    with tempfile.TemporaryDirectory() as temporary:
        top = pathlib.Path(temporary)
        inputs = top / "inputs"
        inputs.mkdir()
        write_inputs(inputs)

        def both(item):
            number, (name, case) = item
            results = []
            for side, binary in zip(("old", "new"), binaries):
                directory = top / f"{number}" / side / "work"
                directory.parent.mkdir(parents=True)
                results.append(run_case(binary, case, inputs, directory))
                shutil.rmtree(directory)
            return name, case, results

        chosen = [(name, case) for name, case in all_cases().items() if options.only in name]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for name, case, (old, new) in pool.map(both, enumerate(chosen)):
                commands += len(case)
                succeeded += sum(old[f"{i} exit code"] == b"0" for i in range(1, len(case) + 1))
                names = sorted(old.keys() | new.keys())
                compared += len(names)
                differing = [n for n in names if old.get(n) != new.get(n)]
                different += len(differing)
                for n in differing:
                    print(f"DIFFERENT {name}: {n}")
                    if options.keep:
                        for side, found in (("old", old), ("new", new)):
                            path = pathlib.Path(options.keep) / name.replace(" ", "_") / side / n.replace("/", "_").replace(" ", "_")
                            path.parent.mkdir(parents=True, exist_ok=True)
                            path.write_bytes(found.get(n, b""))
    print(f"{len(chosen)} cases, {commands} commands ({succeeded} with exit code 0), {compared} artefacts compared, {different} different")
    return 1 if different or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
