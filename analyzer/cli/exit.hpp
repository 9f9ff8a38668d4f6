// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The exit codes of `sotto`.

namespace sotto::cli {

/// Scripts rely on these. 130 is what shells report for a process that Ctrl-C ended (128 + SIGINT).
enum Exit : int { done = 0, refused = 1, usage = 2, input_output = 3, interrupted = 130 };

}  // namespace sotto::cli
