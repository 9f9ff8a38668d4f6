// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <sys/stat.h>

namespace sotto::cli {

/// While this lives, files and directories that the process makes are their owner's alone: 0600 and 0700, journals of a
/// store with them. For what was made from people's rows, and for reports that carry pseudonyms. Publishing it is an
/// act of its own: copy the file, or chmod it.
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

}  // namespace sotto::cli
