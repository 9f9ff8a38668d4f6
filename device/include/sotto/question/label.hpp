// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The question `label`: the target of one record.

#include "sotto/session/question.hpp"

namespace sotto {

/// Recipe target: the target of one record that public coins choose below the nominal rows (sotto/choices.hpp).
/// Parameters recipe::target: bound B (Q15, 1..32768). The target is clipped to [-B, B], and y/B is randomized.
/// A record that the device does not hold has target 0. The round has no model, link or pairs.
///
/// Randomizer: window or laplace; payload: one number. k_label_noisy also takes gaussian with dimension 1; payload: 3
/// bytes, signed.
extern const Question k_label;
extern const Question k_label_noisy;

}  // namespace sotto
