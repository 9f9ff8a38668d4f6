#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""test_mutant.py NAME IMAGE [VECTORS...]: a device library with one mistake must be caught, for every randomizer on which the mistake has an effect.

`certificate`: the device refuses the round's integers. `refusal`: it refuses to take part where it must. `audit`: its reports show more
than they may. The kind of case that caught it stands behind the word. `vectors`: it does not draw what the reference draws, bit for bit
(tests of vectors that are linked with the mutant; each must fail).
"""

import pathlib
import subprocess
import sys

import audit_bounds
import test_image

ALL = test_image.STEMS
# What must catch the mutant, and for which randomizers.
EXPECTED = {
    "threshold_sent": ("certificate", ALL),
    # The others would need more reports than a test has time for: see the vectors.
    "threshold_drawn": ("audit", {"hadamard_response", "hemisphere", "block", "grr", "window"}),
    "word_reused": ("audit two", ALL),
    "cohort_coin": ("refusal", ALL),
    "seed_fixed": ("audit", ALL),
    "clip_forgotten": ("audit", {"vote/grr", "laplace", "window", "gaussian"}),  # the others map every number to an outcome of their own
    "charge_skipped": ("audit cap", {"vote/grr"}),  # of the ledger, whatever the question
}
NOT_IN_COHORT = "19"


def caught(case) -> str:
    if case.refused:
        return "refusal" if case.refused == NOT_IN_COHORT else "certificate"
    bound, _ = case.bound()
    return ("audit" if case.kind == "single" else f"audit {case.kind}") if bound > case.epsilon else ""


def main() -> int:
    name, image, *vectors = sys.argv[1:]
    done = subprocess.run([image], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
    by_stem: dict[str, set[str]] = {}
    for case in audit_bounds.read_cases(done.stdout):
        by_stem.setdefault(case.stem, set()).add(caught(case))
    for stem, ways in sorted(by_stem.items()):
        print(f"{name} {stem}: {', '.join(sorted(ways - {''})) or 'not caught'}")
    way, stems = EXPECTED[name]
    missed = sorted(stem for stem in stems if way not in by_stem.get(stem, set()))
    for test in vectors:
        failing = subprocess.run([test], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
        stem = pathlib.Path(test).name.partition("_vectors_")[2]
        if failing.returncode == 0 or ":FAIL" not in failing.stdout:
            missed.append(f"{stem} (its vectors)")
        else:
            print(f"{name} {stem}: vectors")
    print(f"not caught by {way}: {', '.join(missed)}" if missed else f"caught by {way}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
