// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// File permissions for results that are not covered by a privacy guarantee.

#include <sys/stat.h>

namespace sotto::analyzer {

/// During its lifetime the files and directories that the process makes are readable by their owner only (0600 and
/// 0700), including the journals of a store. For results computed from people's rows without noise, and for reports
/// that carry pseudonyms. Publishing them takes a deliberate act: copying the file, or chmod.
class OwnerOnly {
 public:
  explicit OwnerOnly(bool wanted = true) : wanted_(wanted), before_(wanted ? ::umask(077) : 0) {}
  OwnerOnly(const OwnerOnly&) = delete;
  OwnerOnly& operator=(const OwnerOnly&) = delete;
  ~OwnerOnly() {
    if (wanted_) (void)::umask(before_);
  }

 private:
  bool wanted_;
  mode_t before_;
};

}  // namespace sotto::analyzer
