// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What the two ways of `sotto audit` share: running the library that is built, and reading captured reports.

#include <string>
#include <vector>

#include "sotto/analyzer/audit/audit.hpp"

namespace sotto::cli {

/// Prints the rows and the finding, as text or JSON. Returns the exit code.
int show_audit(const std::vector<analyzer::audit::AuditRow>& rows, bool json);

/// Captured reports: two files, and what was promised.
struct CapturedAudit {
  std::string reports, truth;
  std::string study;   ///< directory of the study, or empty
  double epsilon = 0;  ///< 0: the study's
  double delta = 0;
  double alpha = 0;
  bool numbers = false;
  bool json = false;
};
/// `sotto audit --reports FILE --truth FILE`. Returns the exit code.
int run_captured_audit(const CapturedAudit& options);

}  // namespace sotto::cli
