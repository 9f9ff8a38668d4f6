// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>

namespace sotto::analyzer {

/// A number to what an interval of this width lets one say: three digits of the width, no exponent.
[[nodiscard]] std::string told(double value, double width);

}  // namespace sotto::analyzer
