// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/compile/read_study.hpp"

#include "../study/parse_study.hpp"
#include "sotto/analyzer/protocol/registry/registry.hpp"

namespace sotto::analyzer {

Result<Study> read_study(std::string_view text, std::string_view file) {
  return parse_study(text, file, {choose_protocol, plan_protocol});
}

}  // namespace sotto::analyzer
