// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/coins/private_coins.hpp"
#include "sotto/local/samples.hpp"
#include "sotto/public_coins.hpp"
#include "sotto/status.hpp"
#include "sotto/wire/manifest.hpp"
#include "sotto/wire/round.hpp"

namespace sotto {

/// What this device holds. All of it is private, the number of rows included.
struct LocalData {
  Samples samples;
  std::uint32_t given =
      ~std::uint32_t{0};  ///< the firmware's own answer, for the recipe `given`; anything too large is "none"
};

/// What a question may look at before any sample is read: all of it public.
struct Asked {
  const Manifest& manifest;
  const Round& round;
  std::span<std::byte> work;  ///< the caller's memory, at a multiple of 8: keeps the answer from one step to the next
  CoinLabel label{};          ///< of this device's public coins
  bool mapped = false;        ///< rows lie in memory, and need no copy
};

/// Stands first in what a question keeps in the work space. The session writes it, and a question leaves it alone.
struct WorkTag {
  const void* session;  ///< whose answer this is
};

/// What a question needs of the report and of the work space; all of it public.
struct AnswerPlan {
  std::size_t payload_bytes = 0;
  std::size_t kept_bytes = 0;     ///< at the front of the work space, from check() to report(): tag and answer
  std::size_t scratch_bytes = 0;  ///< behind them, that report() uses
};

/// How one kind of question is answered, in the three steps of the session. A firmware lists the questions that it supports;
/// the linker drops the others. Between the steps only the answer lies in the caller's memory: the spec that check() certified is
/// read again from `asked`, which the session holds, and report() is private for whatever stands in the place of the answer.
struct Question {
  QuestionKind kind;

  /// Certifies the randomizer, and checks that the numbers make sense and the work space is enough. Reads no sample. Writes the
  /// whole plan if it accepts.
  Status (*check)(const Asked& asked, AnswerPlan& plan) noexcept;
  /// Computes the local answer into the work space. Cannot refuse: any data has an answer, "nothing to say" among them.
  void (*prepare)(const Asked& asked, const LocalData& local, PrivateCoins& coins) noexcept;
  /// Draws, randomizes, and writes the payload.
  void (*report)(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept;
};

}  // namespace sotto
