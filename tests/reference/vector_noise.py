# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Good and bad vectors of the additive stems, laplace and gaussian."""
from . import gaussian, laplace
from .gaussian_points import committed_points
from .refused import status_of
from .vector_seeds import private_of, seed, vector
from .vector_stems import NO_CAP, TOP, nano


def noise_case(report, x, number):
    """`report` is a function of (input, private coins); public coins play no part."""
    entropy = seed("entropy", number)
    private = private_of(entropy)
    return {"entropy": entropy.hex(), "input": x, "report": report(x, private), "next_word": private.word()}


def good_laplace(epsilon, radius):
    epsilon_nano = nano(epsilon)
    spec = {"radius": radius, "bits": laplace.derive_bits(radius, epsilon_nano)}
    laplace.check(spec, epsilon_nano, epsilon_nano)
    values = [0, radius, -radius, radius + 1, -radius - 1, 2**31 - 1, -2**31, radius // 2]
    return {"spec": spec, "epsilon_nano": epsilon_nano, "threshold": 0, "delivered_nano": epsilon_nano,
            "digest": laplace.digest(spec, epsilon_nano),
            "digit_thresholds": [f"{t:016x}" for t in laplace.thresholds(spec, epsilon_nano)],
            "cases": [noise_case(lambda x, coins: laplace.report(spec, epsilon_nano, x, coins), x, i)
                      for i, x in enumerate(values)]}


def bad_laplace(radius, bits, epsilon_nano, cap_nano=NO_CAP):
    spec = {"radius": radius, "bits": bits}
    status = status_of(laplace.check, spec, epsilon_nano, cap_nano)
    assert status != "ok", spec
    return {"spec": spec, "epsilon_nano": epsilon_nano, "threshold": 0, "cap_nano": cap_nano, "status": status}


def laplace_file():
    one, bits = 10**9, laplace.derive_bits(16, 10**9)
    rows = (("0.1", 1), ("0.1", 4096), ("0.5", 2), ("1", 3), ("1", 16), ("2", 64), ("4", 256), ("8", 1), ("8", 4096))
    return ([good_laplace(*row) for row in rows],
            [bad_laplace(16, bits, 0), bad_laplace(16, bits, NO_CAP + 1, 2**64 - 1), bad_laplace(16, bits, one, one - 1),
             bad_laplace(16, bits, 16), bad_laplace(0, bits, one), bad_laplace(4097, 16, one), bad_laplace(TOP, 16, one),
             bad_laplace(16, 0, one), bad_laplace(16, 25, one), bad_laplace(16, bits - 1, one), bad_laplace(16, bits + 1, one),
             bad_laplace(16, bits, one // 4), bad_laplace(1, 2, 12 * one), bad_laplace(4096, 24, 10_000)])


def smallest_spec(epsilon_nano, delta, radius, dimension):
    least = gaussian.least_variance(committed_points()[epsilon_nano, delta], radius, dimension)
    return {"radius": radius, "variance": least, "dimension": dimension}


def good_gaussian(epsilon, power, radius, dimension):
    epsilon_nano, delta = nano(epsilon), 2**64 // 10**power
    spec = smallest_spec(epsilon_nano, delta, radius, dimension)
    gaussian.check(spec, epsilon_nano, delta, epsilon_nano, committed_points())
    inputs = [[0] * dimension, [radius] + [0] * (dimension - 1), [-radius - 1] * dimension,
              vector("ordinary", dimension), vector("small", dimension, max(radius // dimension, 1))]
    return {"spec": spec, "epsilon_nano": epsilon_nano, "delta": f"{delta:016x}", "threshold": 0,
            "delivered_nano": epsilon_nano, "digest": gaussian.digest(spec, epsilon_nano, delta),
            "cases": [noise_case(lambda x, coins: gaussian.report(spec, x, coins), x, i) for i, x in enumerate(inputs)]}


def bad_gaussian(spec, epsilon_nano, delta, cap_nano=NO_CAP):
    status = status_of(gaussian.check, spec, epsilon_nano, delta, cap_nano, committed_points())
    assert status != "ok", spec
    return {"spec": spec, "epsilon_nano": epsilon_nano, "delta": f"{delta:016x}", "threshold": 0, "cap_nano": cap_nano,
            "status": status}


def gaussian_file():
    rows = (("0.5", 5, 1, 1), ("0.5", 8, 64, 1), ("1", 5, 512, 1), ("1", 6, 16, 1), ("2", 8, 512, 1), ("4", 6, 8, 1),
            ("8", 5, 1, 1), ("8", 8, 512, 1), ("1", 6, 16, 2), ("4", 5, 100, 9), ("8", 8, 512, 4))
    one, delta = 10**9, 2**64 // 10**6
    scalar, planar = smallest_spec(one, delta, 16, 1), smallest_spec(one, delta, 16, 2)
    refusals = [(scalar | {"dimension": 0}, one, delta), (scalar | {"dimension": 4097}, one, delta),
                (scalar | {"radius": 0}, one, delta), (scalar | {"radius": 513}, one, delta),
                (scalar | {"variance": 0}, one, delta), (scalar | {"variance": 2**25 + 1}, one, delta),
                (scalar, 0, delta), (scalar, NO_CAP + 1, delta, 2**64 - 1), (scalar, one, delta, one - 1),
                (scalar, one, delta - 1), (scalar, one, 0), (scalar, one + 1, delta), (scalar, 3 * one, delta),
                (scalar | {"variance": scalar["variance"] - 1}, one, delta), (scalar | {"radius": 17}, one, delta),
                (planar | {"variance": planar["variance"] - 1}, one, delta), (scalar | {"dimension": 2}, one, delta),
                (scalar | {"variance": scalar["variance"] + 1}, one, delta), (planar | {"dimension": 1}, one, delta),
                ({"radius": 512, "variance": 2**25, "dimension": 1}, one // 2, 2**64 // 10**5)]
    return [good_gaussian(*row) for row in rows], [bad_gaussian(*row) for row in refusals]
