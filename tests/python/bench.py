# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""bench.py [--rows N] [--features D] [--repeat R]: the time of `import sotto`, and a fit from numpy against the compute of
the command line on the same rows. SOTTO names the command line, PYTHONPATH the package. Prints medians and their ratio;
both fits are made in turns, in one run."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
import pandas as pd

import sotto


def import_seconds():
    code = "import time; began = time.perf_counter(); import sotto; print(time.perf_counter() - began)"
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def cli_seconds(path, method):
    """What the command line computes once its rows are read and scaled; and all of it."""
    words = ["fit", path, "--loss", "linear", "--method", method, "--epsilon", "1", "--seed", "1", "--folds", "0", "--json"]
    told = json.loads(subprocess.run([os.environ["SOTTO"], *words], capture_output=True, text=True, check=True).stdout)
    return told["timing"]["seconds"] - told["timing"]["seconds_reading"], told["timing"]["seconds"]


def python_seconds(X, y, method):
    """All of a fit from numpy: checks, scaling, noise, model."""
    model = sotto.SparseRegressor(epsilon=1, method=method, random_state=1)
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sotto.PrivacyWarning)
        model.fit(X, y)
    return time.perf_counter() - began, model.model_.json["timing"]["seconds_reading"]


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=100000)
    options.add_argument("--features", type=int, default=40)
    options.add_argument("--repeat", type=int, default=5)
    options.add_argument("--method", default="dp-iht")
    o = options.parse_args()
    random = np.random.default_rng(1)
    X = random.normal(size=(o.rows, o.features)).round(4)
    y = (X[:, 0] - X[:, 1] + random.normal(size=o.rows)).round(4)
    imports = [import_seconds() for _ in range(o.repeat)]
    print(f"import      {statistics.median(imports):.3f} s, the slowest of {o.repeat} {max(imports):.3f} s")
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "rows.csv")
        pd.DataFrame(X, columns=[f"x{j}" for j in range(o.features)]).assign(y=y).to_csv(path, index=False)
        python_seconds(X, y, o.method)  # loads scikit-learn
        pairs = [(cli_seconds(path, o.method), python_seconds(X, y, o.method)) for _ in range(o.repeat)]
    compute, whole, ours, scaling = (statistics.median(each) for each in zip(*((*cli, *python) for cli, python in pairs)))
    print(f"command     {compute:.3f} s to fit, {whole:.3f} s with reading the file and scaling its rows")
    print(f"python      {ours:.3f} s in all, {scaling:.3f} s of them to copy and scale the rows")
    print(f"ratio       {(ours - scaling) / compute:.3f}, without scaling; {ours / compute:.3f} with it, {ours / whole:.3f} of all")


if __name__ == "__main__":
    main()
