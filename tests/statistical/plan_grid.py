#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""What `sotto plan` says of fleets drawn at random, beside what whole simulated devices measure.

    SOTTO=build/host-release/sotto python3 tests/statistical/plan_grid.py --settings 60 --fleets 6 --seed 1

Settings are drawn log-uniformly from the ranges below. One whose devices would have to generate more readings than
--readings in all fleets together is drawn again: that is what an ordinary machine can check. Prints one line for each
setting as it is measured, and a summary; --markdown prints the table of docs/PLANNING.md.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys

SOTTO = os.environ.get("SOTTO", "sotto")
PROTOCOLS = ("cascade", "boost", "two-round", "multi-round", "federated-ht", "ldp-iht")
WITHIN = 1.5  # of the measured error, where the plan says "learnable"
HOPELESS = 0.8  # of the zero model's error, where it says "cannot learn"


def between(draw, low, high):
    return math.exp(draw.uniform(math.log(low), math.log(high)))


def setting(draw, protocol, fleets, readings):
    """The flags of one fleet."""
    while True:
        item = protocol == "ldp-iht"
        users = round(between(draw, 200, 1e6))
        samples = 1 if item else round(between(draw, 4, 400))
        dim = round(between(draw, 8, 2000))
        nonzeros = min(round(between(draw, 2, 30)), dim // 2)
        epsilon = round(between(draw, 0.5, 8), 2)
        signal = "uniform" if draw.random() < 0.2 else round(between(draw, 0.05, 0.6), 3)
        noise = draw.choice(["1", "0.5", "uniform:1", "student:5", "1"])
        design = draw.choice(["rademacher", "rademacher", "independent"] if item else
                             ["independent", "independent", "correlated", "rademacher"])
        dropout = draw.choice([0, 0, 0.2])
        empty = draw.choice([0, 0, 0, 0.1])
        # A report costs about as much as two thousand readings.
        if users * (samples * (dim + 1) + 2000) * fleets <= readings:
            return {"users": users, "samples": samples, "dim": dim, "nonzeros": nonzeros, "signal": signal,
                    "noise": noise, "design": design, "epsilon": epsilon, "dropout": dropout, "empty": empty,
                    "protocol": protocol}


def run(verb, flags, *more):
    words = [word for name, value in flags.items() for word in (f"--{name}", str(value))]
    ran = subprocess.run([SOTTO, verb, *words, *more, "--json"], capture_output=True, text=True)
    return json.loads(ran.stdout) if ran.stdout else {"error": ran.stderr}


def measure(flags, fleets, seed):
    """One row: the plan's number and what was measured; nothing where the protocol refuses such a fleet."""
    planned = run("plan", flags, "--quick")
    if "recommended" not in planned:
        return None
    best = planned["recommended"]
    measured = run("simulate", flags, "--repeat", str(fleets), "--seed", str(seed))
    if "metrics" not in measured:
        error = measured.get("error", {})
        code = error.get("code", "") if isinstance(error, dict) else str(error)
        if not str(code).startswith("protocol."):
            return None
        value, spread = best["zero_model"], 0  # nobody is asked: the model is zero
    else:
        metric = measured["metrics"][best["metric"]]
        value, spread = metric["mean"], metric["sd"]
    return {"flags": flags, "verdict": best["verdict"], "predicted": best["predicted"], "low": best["low"],
            "high": best["high"], "zero": best["zero_model"], "by": best["planned_by"], "measured": value,
            "sd": spread}


def is_right(row):
    if row["verdict"] == "learnable":
        return 1 / WITHIN <= row["predicted"] / max(row["measured"], 1e-300) <= WITHIN
    if row["verdict"] == "cannot learn":
        return row["measured"] >= HOPELESS * row["zero"]
    return True


def line(row, between_cells):
    f = row["flags"]
    fleet = [f["protocol"], f["users"], f["samples"], f["dim"], f["nonzeros"], f["signal"], f["noise"], f["design"],
             f["epsilon"], f["dropout"], f["empty"]]
    numbers = [row["verdict"], f"{row['predicted']:.3g}", f"{row['measured']:.3g} ({row['sd']:.2g})",
               f"{row['zero']:.3g}", f"{row['predicted'] / max(row['measured'], 1e-300):.2f}",
               "" if is_right(row) else "off"]
    return between_cells.join(str(cell) for cell in fleet + numbers)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--settings", type=int, default=60)
    options.add_argument("--fleets", type=int, default=6)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--readings", type=float, default=6e7)
    options.add_argument("--protocols", default=",".join(PROTOCOLS))
    options.add_argument("--markdown", action="store_true")
    o = options.parse_args()
    draw = random.Random(o.seed)
    rows = []
    for i in range(o.settings):
        protocols = o.protocols.split(",")
        flags = setting(draw, protocols[i % len(protocols)], o.fleets, o.readings)
        row = measure(flags, o.fleets, 1_000_000 + 1000 * i)
        if row is None:
            print("refused", flags, flush=True)
            continue
        rows.append(row)
        print(("| " + line(row, " | ") + " |") if o.markdown else line(row, " "), flush=True)
    learnable = [r for r in rows if r["verdict"] == "learnable"]
    hopeless = [r for r in rows if r["verdict"] == "cannot learn"]
    print(f"{len(rows)} settings; learnable {len(learnable)}, within {WITHIN}: {sum(map(is_right, learnable))}; "
          f"cannot learn {len(hopeless)}, right: {sum(map(is_right, hopeless))}", flush=True)
    return 0 if all(map(is_right, rows)) else 1


if __name__ == "__main__":
    sys.exit(main())
