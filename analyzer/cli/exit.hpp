// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

namespace sotto::cli {

/// Scripts rely on these.
enum Exit : int { done = 0, refused = 1, usage = 2, input_output = 3 };

}  // namespace sotto::cli
