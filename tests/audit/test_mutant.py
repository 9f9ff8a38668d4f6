#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""test_mutant.py NAME IMAGE: a device library with one mistake must be caught, for every randomizer on which the mistake has an effect.

`certificate`: the device refuses the round's integers. `refusal`: it refuses to take part where it must. `coins`:
planted coins show a threshold that is not the certified one, or its noise is too small. `audit`: its reports show more than they may. The kind of case that caught it stands behind the word.
"""

import subprocess
import sys

import audit_bounds
import test_image

ALL = test_image.STEMS
# What must catch the mutant, and for which randomizers.
EXPECTED = {
    "threshold_sent": ("certificate", ALL),
    "threshold_drawn": ("coins", ALL),  # by planted coins, or by the variance of the noise
    "word_reused": ("audit two", ALL),
    "cohort_coin": ("refusal", ALL),
    "seed_fixed": ("audit", ALL),
    "clip_forgotten": ("audit", {"vote/grr", "laplace", "window", "gaussian"}),  # the others map every number to an outcome of their own
    "charge_skipped": ("audit cap", {"vote/grr"}),  # of the ledger, whatever the question
}
NOT_IN_COHORT = "19"


def caught(case) -> set[str]:
    if case.refused:
        return {"refusal" if case.refused == NOT_IN_COHORT else "certificate"}
    ways = {"coins"} if case.misdrawn() else set()
    bound, _ = case.bound()
    if bound > case.epsilon:
        ways.add("audit" if case.kind == "single" else f"audit {case.kind}")
    return ways


def main() -> int:
    name, image = sys.argv[1:]
    done = subprocess.run([image], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
    by_stem: dict[str, set[str]] = {}
    for case in audit_bounds.read_cases(done.stdout):
        by_stem.setdefault(case.stem, set()).update(caught(case))
    for stem, ways in sorted(by_stem.items()):
        print(f"{name} {stem}: {', '.join(sorted(ways)) or 'not caught'}")
    way, stems = EXPECTED[name]
    missed = sorted(stem for stem in stems if way not in by_stem.get(stem, set()))
    print(f"not caught by {way}: {', '.join(missed)}" if missed else f"caught by {way}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
