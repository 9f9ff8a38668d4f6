// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/collect/capture.hpp"

namespace sotto::cli {

using analyzer::Capture;
using analyzer::Captured;
using analyzer::CaptureKind;
using analyzer::kind_of;

}  // namespace sotto::cli
