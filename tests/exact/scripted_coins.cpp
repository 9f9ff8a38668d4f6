// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "scripted_coins.hpp"

namespace sotto {

Status PrivateCoins::begin_report(const EntropySource&) noexcept {
  ready_ = true;
  return Status::ok;
}

void PrivateCoins::forget() noexcept { ready_ = 0; }

std::uint32_t PrivateCoins::draw(void*) noexcept {
  exact::Script& s = exact::g_script;
  if (s.used < s.words.size()) return s.words[s.used++];
  s.ran_dry = true;
  // Beyond the script: words that no rejection loop refuses for ever.
  return static_cast<std::uint32_t>(++s.used * 0x9e3779b9u);
}

}  // namespace sotto
