// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sotto/status.hpp"

/// What the headers made from tests/vectors/*.json by to_header.py are made of: numbers, and places in pools of numbers.
namespace sotto::vectors {

using Bytes32 = std::array<std::uint8_t, 32>;

/// A spec that must be accepted. `fields` are the stem's parameters in the order of RANDOMIZERS.md, section 9.
struct StemGood {
  std::uint64_t epsilon_nano;
  std::uint64_t delta;
  std::uint64_t delivered_nano;
  std::uint32_t fields[3];
  std::uint32_t threshold;
  std::uint32_t first_case;
  std::uint32_t cases;
  Bytes32 digest;
};

/// One report. `input` and `report` are numbers (two's complement), or places in the pools of the stem's vectors.
struct StemCase {
  std::uint64_t pseudonym;
  std::uint32_t input;
  std::uint32_t report;
  std::uint32_t next_word;  ///< the private word after the report: as many were drawn as should be
  std::uint16_t round;
  std::uint8_t entropy;  ///< place in the pool of seeds
  std::uint8_t study;
};

/// A spec that must be refused.
struct StemBad {
  std::uint64_t epsilon_nano;
  std::uint64_t delta;
  std::uint64_t cap_nano;
  std::uint32_t fields[3];
  std::uint32_t threshold;
  Status status;
};

struct ChachaBlock {
  Bytes32 key;
  std::array<std::uint8_t, 12> nonce;
  std::uint32_t counter;
  std::uint32_t rounds;
  std::array<std::uint8_t, 64> block;
};

struct PublicStream {
  Bytes32 study;
  std::uint64_t pseudonym;
  std::uint16_t round;
  std::uint8_t purpose;
  std::uint32_t words_0_to_3[4];
  std::uint32_t words_15_to_17[3];
  std::uint32_t word_39;
};

struct PublicBlock {
  Bytes32 study;
  std::uint64_t pseudonym;
  std::uint16_t round;
  std::uint32_t width;
  std::uint32_t coordinates;
  std::uint32_t first_taken;  ///< place in the pool of coordinates
};

/// One begin_report(); `first` starts a new object.
struct SeedStep {
  Bytes32 seed;
  bool first;
  Status status;
  std::uint32_t first_word;  ///< place in the pool of words
  std::uint32_t words;
};

struct ExpNeg {
  std::uint64_t epsilon_nano;  ///< 0: h was given
  std::uint64_t h;
  std::uint64_t r;
};

struct NumberAnswer {
  std::uint32_t first_reading, readings;  ///< in the lists
  bool hooked;                            ///< else the one reading is given
  std::uint32_t rule, rows;
  std::int32_t missing;
  std::uint32_t first_pair, pairs;
  std::uint32_t categories;  ///< 0: the place is asked
  std::int32_t answer;
};

struct LevelAnswer {
  std::uint32_t measure, unit;
  std::uint32_t first_number, rows;  ///< in the lists: three features and the target, row after row
  std::uint32_t first_entry, entries;
  std::int32_t target_centre, fit_centre;
  std::uint32_t first_answer, answers;
};

struct Channel {
  std::uint64_t epsilon_nano;
  std::uint64_t delivered_nano;
  std::uint32_t outcomes;
  std::uint32_t inside;
  std::uint32_t threshold;
  Status status;
};

struct Sha256Text {
  std::uint32_t first;  ///< place in the pool of bytes
  std::uint32_t length;
  Bytes32 digest;
};

struct Ed25519Case {
  Bytes32 key;
  std::array<std::uint8_t, 64> signature;
  std::uint32_t first;  ///< of the message in the pool of bytes
  std::uint32_t length;
  bool valid;
  const char* kind;
};

/// One report of the question top. `part` is length, hashed, key bits, fragments.
struct Item {
  Bytes32 study;
  std::uint64_t pseudonym;
  std::uint16_t round;
  std::uint32_t part[4];
  std::uint32_t fragment;
  std::uint32_t first;  ///< of the item in the pool of bytes
  std::uint32_t length;
  std::uint64_t word;
  std::uint32_t bits;
  std::uint32_t hash;
  std::uint64_t epsilon_nano;
  std::uint32_t threshold;
  Bytes32 entropy;
  std::uint32_t report;
};

struct ItemBad {
  std::uint32_t part[4];
  Status status;
};

/// Bytes in the pool of the wire vectors.
struct WireText {
  std::uint32_t first;
  std::uint32_t length;
};

struct WireManifest {
  WireText bytes;
  Bytes32 digest;
  std::uint32_t numbers[9];  ///< sealed, one scale, unit, cohorts, features, rows, answers, deviation, questions
  std::uint64_t epsilon_nano;
  std::uint64_t delta;
  std::uint32_t last_weight;
  std::uint64_t last_offset;  ///< of the last scale, two's complement like its multiplier
  std::uint32_t last_multiplier;
  std::uint32_t last_shift;
};

struct WireRound {
  WireText bytes;
  Bytes32 digest;
  std::uint32_t numbers
      [18];  ///< question, number, cohort, recipe, stem, link, spec (4), parameters (6), sizes of model and pairs
  std::uint32_t last_model[2];
  std::uint32_t last_pair[2];
  std::uint64_t times[2];  ///< opens, closes
};

struct WireReport {
  Bytes32 master, study, round_digest, key;
  std::uint64_t pseudonym;
  std::uint16_t round;
  std::uint8_t question;
  WireText payload, report;
};

struct WireBad {
  WireText bytes;
  Status status;
};

struct WireCohort {
  WireText manifest;
  std::uint64_t pseudonym;
  std::uint32_t cohort;
};

}  // namespace sotto::vectors
