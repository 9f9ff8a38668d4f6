// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

namespace sotto::cli {

/// Scripts rely on these. A shell gives 128 + 2 for what Ctrl-C ended.
enum Exit : int { done = 0, refused = 1, usage = 2, input_output = 3, interrupted = 130 };

}  // namespace sotto::cli
