# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""What the stems with a two-level channel have in common.

A stem is a module with
  NUMBER, FIELDS          its number and parameters (section 9)
  check_parameters(spec)  raises bad_dimension or bad_channel
  channel(spec)           (M, k)
  answer(spec, x, public, private)        everything before the coin; `private` gives the rounding word of window
  outcome(spec, answer, is_inside, rank)  the report
A spec is a dict with one entry per field.
"""
from . import two_level
from .digest import digest_of
from .exp_neg import check_epsilon


def check(stem, spec, epsilon_nano, threshold, cap_nano):
    stem.check_parameters(spec)
    outcomes, inside = stem.channel(spec)
    two_level.check_shape(outcomes, inside)
    check_epsilon(epsilon_nano, cap_nano)
    two_level.check(outcomes, inside, threshold, epsilon_nano)


def derive(stem, spec, epsilon_nano):
    stem.check_parameters(spec)
    return two_level.derive(*stem.channel(spec), epsilon_nano)


def delivered(stem, spec, threshold):
    return two_level.delivered(*stem.channel(spec), threshold)


def digest(stem, spec, epsilon_nano, threshold):
    return digest_of(stem.NUMBER, epsilon_nano, [spec[name] for name in stem.FIELDS], threshold)


def report(stem, spec, threshold, x, public, private):
    answer = stem.answer(spec, x, public, private)
    is_inside, rank = two_level.draw(*stem.channel(spec), threshold, private)
    return stem.outcome(spec, answer, is_inside, rank)
