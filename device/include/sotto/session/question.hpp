// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The interface that every kind of question implements (vote, bin, moments, ...), and what it is given. A session
/// calls a question in three steps: check() decides from public data alone whether the round can be answered, prepare()
/// computes the local answer from the samples, report() randomizes it. Questions are in sotto/question.

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

/// The firmware's own choice of a feature, for the recipe `given`. Zeros are "none", and so is a feature that does not
/// exist.
class Choice {
 public:
  constexpr Choice() noexcept = default;
  constexpr Choice(std::uint32_t feature) noexcept : code_(feature ^ k_mark) {}  // NOLINT: a feature is a choice
  /// Above every feature's number for "none".
  [[nodiscard]] constexpr std::uint32_t feature() const noexcept { return code_ ^ k_mark; }

 private:
  static constexpr std::uint32_t k_mark = 0x80000000;  ///< no feature has such a number
  std::uint32_t code_ = 0;
};

/// No reading, where numbers are read.
inline constexpr std::int32_t k_no_number = INT32_MIN;

/// Integers of the firmware's own, for the question `number`. How many there are is private.
struct [[gnu::may_alias]] HeldNumbers {
  std::uint32_t count = 0;
  void* context = nullptr;
  std::int32_t (*read)(void* context, std::uint32_t i) = nullptr;  ///< reading i; nullptr: there is one at most
  std::int32_t one = 0;                                            ///< that one, if `count` is not 0
};

/// The private data that an answer is computed from. The number of rows is private too.
struct [[gnu::may_alias]] LocalData {
  HeldRows samples;
  Choice given{};
  HeldNumbers numbers{};
  std::uint32_t item_bytes = 0;        ///< of `item`
  const std::uint8_t* item = nullptr;  ///< the firmware's own item, for the recipe `item`; null: none
};

/// What a question needs for a round. The sizes depend on public data alone.
struct AnswerPlan {
  std::size_t payload_bytes = 0;
  std::size_t kept_bytes = 0;  ///< at the front of the work space: the tag and the answer, from prepare() to report()
  std::size_t work_bytes = 0;  ///< of the whole work space, for prepare() and report()
};

/// The public inputs of a question: everything that it may use before it reads a sample. The session decodes into it.
/// What every question reads is first: Cortex-M0 reaches no further than 31 words in one instruction.
struct Asked {
  std::span<std::byte> work;  ///< the caller's memory, aligned to 8; it holds the answer between the steps
  AnswerPlan plan;            ///< written by check()
  Round round;
  CoinLabel label{};    ///< names this device's stream of public coins
  bool mapped = false;  ///< the rows are in memory and need no copy
  Manifest manifest;
};

/// The first member of what a question keeps in the work space. The session writes it to detect that other code has
/// used the work space since prepare(). A question does not change it.
struct WorkTag {
  const void* session;  ///< the session that prepared the answer
};

/// One kind of question. A firmware lists the questions that it supports, and the linker drops the others. Only the
/// local answer is kept between the steps, in the caller's memory. The randomizer's parameters that check() certified
/// are read again from `asked`, which the session holds, and report() is private for any bytes in place of the answer.
struct Question {
  QuestionKind kind;

  /// Certifies the randomizer's parameters and checks the other parameters. Reads no sample and no work space. If it
  /// accepts, it writes the whole plan; the session compares the work space with it.
  Status (*check)(Asked& asked) noexcept;
  /// Computes the local answer into the work space. It cannot refuse: every data set has an answer, which may be
  /// "nothing to say".
  void (*prepare)(const Asked& asked, const LocalData& local, PrivateCoins& coins) noexcept;
  /// Draws random bits, randomizes the answer and writes the payload.
  void (*report)(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept;
};

}  // namespace sotto
