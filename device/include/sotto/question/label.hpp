// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/session/question.hpp"

namespace sotto {

/// Recipe target: the target of one record that public coins choose below the nominal rows (sotto/choices.hpp).
/// Parameters recipe::target: bound B (Q15, 1..32768); the target is clipped to [-B, B], which is laid on [-1, 1]
/// A record that the device does not hold has target 0. The round has no model, link and pairs.
///
/// Randomizer: window or laplace. k_label_noisy also takes gaussian, dimension 1. Payload: one number; or 3 bytes, signed.
extern const Question k_label;
extern const Question k_label_noisy;

}  // namespace sotto
