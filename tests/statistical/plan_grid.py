#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""What `sotto plan` says of fleets drawn at random, beside what whole simulated devices measure.

    python3 tests/statistical/plan_grid.py measure --settings 60 --seed 1 --out grid.jsonl
    python3 tests/statistical/plan_grid.py compare grid.jsonl
    python3 tests/statistical/plan_grid.py needs grid.jsonl --settings 10

`measure` draws settings log-uniformly from the ranges below, one protocol after the other, and simulates them with
whole devices; it knows nothing of the planner, so that a planner can be changed and compared again. A setting that
would take longer than --seconds in all of its fleets is drawn again: that is what an ordinary machine can check. Lines
are appended as they are measured, and the same command goes on where it stopped. `compare` plans each setting and
prints the table of docs/PLANNING.md. `needs` asks how many devices an error takes, and simulates so many.

SOTTO names the command (for measuring: a prefix, such as a queue, is allowed).
"""

import argparse
import json
import math
import os
import random
import shlex
import subprocess
import sys
import time

SOTTO = shlex.split(os.environ.get("SOTTO", "sotto"))
IN_ROUNDS = ("cascade", "boost", "two-round", "multi-round", "federated-ht", "sparse-mean")
OF_ROWS = ("ldp-iht", "label-iht", "label-lasso")
ONCE = ("sparse-mean-once", "projected-regression", "kernel-ridge", "smooth-glm")
EVERYDAY = ("number", "count", "event", "category", "crosstab", "top")
PROTOCOLS = IN_ROUNDS + OF_ROWS + ONCE + EVERYDAY
WITHIN = 1.5  # of the measured error, where the plan says "learnable"
HOPELESS = 0.8  # of the zero model's error, where it says "cannot learn"
# The shares of these verdicts that have to be right. Measured means of few fleets are themselves off by a tenth or two.
MOST, NEARLY_ALL = 0.9, 0.95
MET = 1.3  # of the wanted error, with the devices that are said to be needed
# Seconds of a report and of a reading on one core of an ordinary machine, generously.
REPORT, READING, FEDERATED = 30e-6, 1.2e-8, 120e-6


def between(draw, low, high):
    return math.exp(draw.uniform(math.log(low), math.log(high)))


def whole(draw, low, high):
    return round(between(draw, low, high))


def common(draw, protocol):
    return {"protocol": protocol, "users": whole(draw, 200, 1e6), "epsilon": round(between(draw, 0.5, 8), 2),
            "dropout": draw.choice([0, 0, 0.2]), "empty": draw.choice([0, 0, 0, 0.1])}


def regression(draw, protocol):
    flags = common(draw, protocol)
    of_rows = protocol in OF_ROWS
    flags["dim"] = whole(draw, 8, 2000)
    flags["nonzeros"] = min(whole(draw, 2, 30), flags["dim"] // 2)
    flags["samples"] = 1 if of_rows else whole(draw, 4, 400)
    flags["signal"] = "uniform" if draw.random() < 0.2 else round(between(draw, 0.05, 0.6), 3)
    flags["noise"] = draw.choice(["1", "0.5", "uniform:1", "student:5", "1"])
    flags["design"] = draw.choice(["rademacher", "rademacher", "independent"] if of_rows else
                                  ["independent", "independent", "correlated", "rademacher"])
    return flags


def once(draw, protocol):
    flags = common(draw, protocol)
    flags["dim"] = whole(draw, 1, 4) if protocol == "kernel-ridge" else whole(draw, 8, 2000)
    if protocol != "kernel-ridge":
        flags["nonzeros"] = min(whole(draw, 2, 30), flags["dim"] // 2)
    return flags


def everyday(draw, protocol):
    flags = common(draw, protocol)
    if protocol == "number":
        flags["law"] = draw.choice(["normal", "lognormal", "two-modes", "spike", "uniform", "discrete"])
        flags["range-sd"] = round(between(draw, 4, 1000), 1)
        flags["samples"] = draw.choice([1, 1, 10])
    elif protocol == "count":
        flags["mean"] = round(between(draw, 0.1, 50), 2)
    elif protocol == "event":
        flags["share"] = round(between(draw, 0.001, 0.5), 4)
    elif protocol == "crosstab":
        flags["association"] = draw.choice([0, 0.3, 0.8])
    else:
        flags["zipf"] = round(draw.uniform(0.5, 2), 2)
        if protocol == "category":
            flags["categories"] = whole(draw, 2, 2000)
        else:
            flags["of"] = draw.choice(["id64", "string"])
    return flags


def seconds_of(flags):
    report = FEDERATED if flags["protocol"] == "federated-ht" else REPORT
    readings = flags["samples"] * (flags["dim"] + 1) if "dim" in flags and "samples" in flags else flags.get("dim", 1)
    return flags["users"] * (report + readings * READING)


def setting(draw, protocol, seconds, fleets):
    """The flags of one fleet."""
    make = everyday if protocol in EVERYDAY else once if protocol in ONCE else regression
    while True:
        flags = make(draw, protocol)
        if seconds_of(flags) * fleets <= seconds:
            return flags


def words_of(flags):
    return [word for name, value in flags.items() for word in (f"--{name}", str(value))]


def run(verb, flags, *more):
    ran = subprocess.run([*SOTTO, verb, *words_of(flags), *more, "--json"], capture_output=True, text=True)
    return json.loads(ran.stdout) if ran.stdout else {"error": {"code": "crash", "what": ran.stderr}}


def simulated(flags, fleets, seed):
    """What these fleets measured: metrics, or the refusal that they met."""
    said = run("simulate", flags, "--repeat", str(fleets), "--seed", str(seed), "--threads", "1")
    if "error" in said:
        return {"refused": said["error"]}
    return {"metrics": {name: {"mean": m["mean"], "sd": m.get("sd", 0)} for name, m in said["metrics"].items()},
            "verdicts": said.get("verdicts")}


def measure(o):
    draw = random.Random(o.seed)
    protocols = o.protocols.split(",")
    there = 0
    if os.path.exists(o.out):
        with open(o.out, encoding="utf-8") as lines:
            there = sum(1 for _ in lines)
    for i in range(o.settings):
        flags = setting(draw, protocols[i % len(protocols)], o.seconds, o.fleets)
        if i < there:
            continue
        affordable = int(o.seconds / max(1e-9, seconds_of(flags)))
        fleets = max(o.fleets, min(o.fleets_most, affordable))
        began = time.monotonic()
        row = {"flags": flags, "fleets": fleets, **simulated(flags, fleets, o.seed * 1_000_000 + 1000 * i)}
        row["seconds"] = round(time.monotonic() - began, 2)
        with open(o.out, "a", encoding="utf-8") as lines:
            lines.write(json.dumps(row) + "\n")
    return 0


def rows_of(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def planned(row):
    """The row with what the planner says; nothing where both refuse such a fleet for a reason other than its size."""
    began = time.monotonic()
    said = run("plan", row["flags"], "--quick")
    took = time.monotonic() - began
    if "recommended" not in said:
        return {**row, "verdict": "refused", "why": said["error"], "took": took}
    best = said["recommended"]
    if "refused" in row:  # nobody is asked: the model is the zero model
        measured, spread = best["zero_model"], 0
    else:
        metric = row["metrics"].get(best["metric"], {"mean": float("nan"), "sd": 0})
        measured, spread = metric["mean"], metric["sd"]
    return {**row, "verdict": best["verdict"], "metric": best["metric"], "predicted": best["predicted"],
            "low": best["low"], "high": best["high"], "zero": best["zero_model"], "by": best["planned_by"],
            "measured": measured, "sd": spread, "took": took}


def ratio_of(row):
    return row["predicted"] / max(row["measured"], 1e-300)


def is_right(row):
    if row["verdict"] == "learnable":
        return 1 / WITHIN <= ratio_of(row) <= WITHIN
    if row["verdict"] == "cannot learn":
        return row["measured"] >= HOPELESS * row["zero"]
    return row["verdict"] == "uncertain"


def fleet_text(flags):
    short = {"users": "n", "samples": "m", "dim": "d", "nonzeros": "s", "epsilon": "eps"}
    left_out = ("protocol",)
    shown = [(short.get(k, k), v) for k, v in flags.items() if k not in left_out and not (k in ("dropout", "empty") and v == 0)]
    return ", ".join(f"{k} {v}" for k, v in shown)


def line(row):
    cells = [row["flags"]["protocol"], fleet_text(row["flags"]), row["verdict"]]
    if row["verdict"] == "refused":
        cells += ["", "refused" if "refused" in row else "?", "", "", str(row["why"].get("code"))]
    else:
        measured = "refused" if "refused" in row else f"{row['measured']:.3g} ({row['sd']:.2g}), {row['fleets']}"
        cells += [f"{row['predicted']:.3g}", measured, f"{row['zero']:.3g}", f"{ratio_of(row):.2f}",
                  "" if is_right(row) else "off"]
    return "| " + " | ".join(cells) + " |"


def summary(rows):
    learnable = [r for r in rows if r["verdict"] == "learnable"]
    hopeless = [r for r in rows if r["verdict"] == "cannot learn"]
    uncertain = [r for r in rows if r["verdict"] == "uncertain"]
    refused = [r for r in rows if r["verdict"] == "refused"]
    return (f"{len(rows)} settings; learnable {len(learnable)}, within {WITHIN}: {sum(map(is_right, learnable))}; "
            f"cannot learn {len(hopeless)}, right: {sum(map(is_right, hopeless))}; uncertain {len(uncertain)}; "
            f"refused {len(refused)}; the slowest plan took {max(r['took'] for r in rows):.1f} s")


def compare(o):
    rows = []
    for row in rows_of(o.file):
        rows.append(planned(row))
        print(line(rows[-1]), flush=True)
    print(summary(rows), flush=True)

    def share_right(verdict):
        those = [is_right(r) for r in rows if r["verdict"] == verdict]
        return sum(those) / len(those) if those else 1
    return 0 if share_right("learnable") >= MOST and share_right("cannot learn") >= NEARLY_ALL else 1


def needs(o):
    """Of settings in which something is learned: the devices for an error, and what so many devices measure."""
    draw = random.Random(o.seed)
    rows = [planned(r) for r in rows_of(o.file) if "refused" not in r]
    rows = [r for r in rows if r["verdict"] in ("learnable", "uncertain") and r["predicted"] > 0]
    draw.shuffle(rows)
    told = 0
    for row in rows:
        wanted = float(f"{row['predicted'] * draw.choice([0.5, 0.7, 1.5, 2]):.2g}")
        if wanted > 0.6 * row["zero"]:
            continue
        said = run("plan", row["flags"], "--quick", "--want-error", str(wanted))
        needed = said.get("devices_needed")
        flags = {**row["flags"], "users": needed}
        if needed is None or seconds_of(flags) * o.fleets > o.seconds:
            continue
        there = simulated(flags, o.fleets, o.seed * 77_000 + told)
        value = there["metrics"][row["metric"]]["mean"] if "metrics" in there else row["zero"]
        print(f"| {row['flags']['protocol']} | {fleet_text(row['flags'])} | {wanted:.2g} | {needed} | {value:.3g} | "
              f"{value / wanted:.2f} | {'' if value <= MET * wanted else 'off'} |", flush=True)
        told += 1
        if told == o.settings:
            break
    return 0


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = options.add_subparsers(required=True)
    one = verbs.add_parser("measure")
    one.set_defaults(act=measure)
    one.add_argument("--settings", type=int, default=60)
    one.add_argument("--fleets", type=int, default=6, help="at least")
    one.add_argument("--fleets-most", type=int, default=20)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--seconds", type=float, default=20, help="of one setting, all fleets together")
    one.add_argument("--protocols", default=",".join(PROTOCOLS))
    one.add_argument("--out", required=True)
    two = verbs.add_parser("compare")
    two.set_defaults(act=compare)
    two.add_argument("file")
    three = verbs.add_parser("needs")
    three.set_defaults(act=needs)
    three.add_argument("file")
    three.add_argument("--settings", type=int, default=10)
    three.add_argument("--fleets", type=int, default=8)
    three.add_argument("--seed", type=int, default=1)
    three.add_argument("--seconds", type=float, default=20)
    o = options.parse_args()
    return o.act(o)


if __name__ == "__main__":
    sys.exit(main())
