#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""mutants.py NAME --root DIR --out DIR: copies the sources that a mutant changes, each with its mistake.

A mutant is a device library with one mistake that a programmer could make. Its sources replace those of the library when the image of the
audit is linked; the library itself knows nothing of it. A change that does not fit exactly once is refused, so that no mutant silently
becomes the honest library.
"""

import argparse
import pathlib
import sys

SAMPLERS, COINS = "device/src/coins/samplers.cpp", "device/src/coins/private_coins.cpp"
LAPLACE, GAUSSIAN, WINDOW, VOTE = (f"device/src/randomize/{stem}.cpp" for stem in ("laplace", "gaussian", "window", "vote"))

# name: [(source, honest text, mistaken text)]
MUTANTS = {
    # The integers that a server would send, 2 per cent beyond what epsilon allows.
    "threshold_sent": [
        ("shared/src/two_level.cpp", "  threshold = c.threshold;\n", "  threshold = c.threshold + c.threshold / 50;\n"),
        ("shared/src/spec/gaussian.cpp", "  spec.variance = variance;\n", "  spec.variance = variance - variance / 50;\n"),
        ("shared/src/spec/laplace.cpp", "  spec.bits = derived.bits;", "  spec.bits = derived.bits - 1;"),  # it has no threshold
    ],
    # The round's threshold is right, the device draws with another.
    "threshold_drawn": [
        (SAMPLERS, "  d.coin = coins.word();\n", "  d.coin = coins.word();\n  d.coin -= d.coin / 50;\n"),
        (VOTE, "  draw.coin = coins.word();\n", "  draw.coin = coins.word();\n  draw.coin -= draw.coin / 50;\n"),
        (LAPLACE, "laplace_digit_threshold(step, digit)) << digit", "laplace_digit_threshold(step, digit) / 50 * 49) << digit"),
        (GAUSSIAN, "discrete_gaussian(coins, spec.variance)", "discrete_gaussian(coins, spec.variance - spec.variance / 50)"),
    ],
    # Every second report draws the words of the one before.
    "word_reused": [
        (SAMPLERS, "  d.coin = coins.word();\n",
         "  static std::uint32_t kept, calls;\n  if (calls++ % 2 == 0) kept = coins.word();\n  d.coin = kept;\n"),
        (VOTE, "  draw.coin = coins.word();\n",
         "  static std::uint32_t kept, calls;\n  if (calls++ % 2 == 0) kept = coins.word();\n  draw.coin = kept;\n"),
        (SAMPLERS, "  const std::uint32_t scale = root_floor(",
         "  static std::int32_t kept;\n  static std::uint32_t calls;\n  if (calls++ % 2 != 0) return kept;\n"
         "  const std::uint32_t scale = root_floor("),
        (SAMPLERS, "    if (bernoulli_exp(coins, multiply_32(distance, distance), denominator)) return z;\n",
         "    if (bernoulli_exp(coins, multiply_32(distance, distance), denominator)) return kept = z;\n"),
        (LAPLACE, "  std::uint32_t noise = 0;\n",
         "  std::uint32_t noise = 0;\n  static std::uint32_t kept, calls;\n  if (calls++ % 2 != 0) return kept;\n"),
        (LAPLACE, "  return 0u - noise;", "  return kept = 0u - noise;"),
    ],
    # The cohort from the coins of another purpose.
    "cohort_coin": [("shared/src/wire/manifest.cpp", "CoinPurpose::cohort}", "CoinPurpose::slot}")],
    # The source is asked, its bytes are not used.
    "seed_fixed": [(COINS, "seed[i] = from_little_endian(seed[i]);", "seed[i] = 0x9e3779b9u * static_cast<std::uint32_t>(i + 1);")],
    # A target beyond its bound, a vector beyond its ball, a vote for a feature that does not exist.
    "clip_forgotten": [
        ("device/src/question/front.cpp", "clipped = size < bound_q15 ? size : bound_q15;", "clipped = size;"),
        ("device/src/arithmetic/norm_clip.cpp", "  if (norm <= radius) return;\n", "  if (norm <= radius || norm != 0) return;\n"),
        ("device/src/arithmetic/norm_q24.cpp", "  if (norm <= radius_q24) return;\n", "  if (norm <= radius_q24 || norm != 0) return;\n"),
        (LAPLACE, "clip_saturate(value, -radius, radius)", "value * (radius > 0)"),
        (GAUSSIAN, "values[0] = clip_saturate(values[0], -radius, radius);", "values[0] += 0 * radius;"),
        (VOTE, "choose(mask_less(spec.features, x), spec.features, x)", "x"),
        (WINDOW, "answer_q15_saturate(x_q15)", "x_q15"),
    ],
    # The report is paid for, the spending stays as it was.
    "charge_skipped": [("device/src/ledger/answer.cpp", "  study.spent.epsilon += answer.price.epsilon;", "")],
}


def changed(name: str, root: pathlib.Path) -> dict[str, str]:
    texts = {}
    for source, honest, mistaken in MUTANTS[name]:
        text = texts.get(source) or (root / source).read_text()
        if text.count(honest) != 1:
            sys.exit(f"{name}: {source} has {text.count(honest)} times {honest!r}: bring tests/audit/mutants.py up to date")
        texts[source] = text.replace(honest, mistaken)
    return texts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=MUTANTS)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path)
    args = parser.parse_args()
    texts = changed(args.name, args.root)
    if args.out is None:  # which sources, for CMake
        print(";".join(texts), end="")
        return 0
    for source, text in texts.items():
        target = args.out / source
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
