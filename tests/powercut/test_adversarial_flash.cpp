// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Flash contents that no power cut explains: the ledger opens with at least what was spent, or refuses. Always it ends.
#include <gtest/gtest.h>

#include <vector>

#include "cut_sweep.hpp"

namespace sotto {
namespace {

constexpr std::uint32_t k_image_bytes = 3 * 1920;
using Simulator = FlashSimulator<k_image_bytes>;
constexpr Charge k_charge{1'000'000'000, 5};
constexpr Policy k_policy{{20'000'000'000, 100}, {20'000'000'000, 100}};

/// The flash of a device that answered `answers` rounds of one study, and how much of that can have left it.
std::vector<std::uint8_t> image_after(const FlashGeometry& geometry, std::uint32_t answers, bool store_last) {
  Simulator simulator(geometry);
  const Flash flash = simulator.flash();
  const LedgerHooks hooks;
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  const Digest digest{1};
  EXPECT_EQ(ledger.create(flash, hooks, k_policy, birth_entropy()), Status::ok);
  EXPECT_EQ(ledger.set_consent(true), Status::ok);
  EXPECT_EQ(ledger.enrol(digest, k_anybody), Status::ok);
  EXPECT_EQ(find_study(ledger, digest, entry), Status::ok);
  std::vector<std::uint8_t> report(34, 0x77);
  for (std::uint32_t i = 1; i <= answers; ++i) {
    EXPECT_EQ(charge(ledger, entry, static_cast<std::uint16_t>(i), k_charge, report.size()), Status::ok);
    if (i < answers || store_last) {
      EXPECT_EQ(store(ledger, entry, report), Status::ok);
    }
  }
  std::vector<std::uint8_t> image;
  for (std::uint32_t a = 0; a < simulator.size(); ++a) image.push_back(simulator.byte(a));
  return image;
}

Simulator& load(Simulator& simulator, const std::vector<std::uint8_t>& image) {
  for (std::uint32_t a = 0; a < image.size(); ++a) simulator.put(a, image[a]);
  return simulator;
}

TEST(AdversarialFlash, a_bit_flipped_anywhere_opens_with_all_that_left_the_device_or_refuses) {
  std::uint64_t flips = 0, opened = 0;
  for (const FlashGeometry& geometry : all_geometries()) {
    for (const std::uint32_t answers : {1u, 3u, 7u}) {
      const std::vector<std::uint8_t> image = image_after(geometry, answers, true);
      // Every bit in one geometry, every thirteenth in the others.
      const std::uint32_t step = geometry.program_unit == 8 && geometry.sectors == 2 ? 1 : 13;
      for (std::uint32_t bit = 0; bit < image.size() * 8; bit += step) {
        Simulator simulator(geometry);
        load(simulator, image).put(bit / 8, static_cast<std::uint8_t>(image[bit / 8] ^ 1u << bit % 8));
        const Flash flash = simulator.flash();
        const LedgerHooks hooks;
        RoomyLedger<> ledger;
        const Status status = ledger.open(flash, hooks);
        ++flips;
        if (status != Status::ok) {
          ASSERT_EQ(status, Status::ledger_corrupt) << "bit " << bit;
          continue;
        }
        ++opened;
        ASSERT_EQ(ledger.total_spent().epsilon, answers * k_charge.epsilon) << "bit " << bit;
        ASSERT_EQ(ledger.total_spent().delta, answers * k_charge.delta);
        ASSERT_TRUE(ledger.consent());
      }
    }
  }
  std::cout << "flips: " << flips << ", opened " << opened << "\n";
}

TEST(AdversarialFlash, a_flip_in_the_last_charge_forgets_a_draw_that_never_left_and_no_more) {
  const FlashGeometry geometry{1152, 2, 4, 0xff};  // the third charge is not first in its sector
  const std::vector<std::uint8_t> image = image_after(geometry, 3, false);
  for (std::uint32_t bit = 0; bit < image.size() * 8; ++bit) {
    Simulator simulator(geometry);
    load(simulator, image).put(bit / 8, static_cast<std::uint8_t>(image[bit / 8] ^ 1u << bit % 8));
    const Flash flash = simulator.flash();
    const LedgerHooks hooks;
    RoomyLedger<> ledger;
    if (ledger.open(flash, hooks) == Status::ok) {
      ASSERT_GE(ledger.total_spent().epsilon, 2 * k_charge.epsilon) << "bit " << bit;
    }
  }
}

TEST(AdversarialFlash, a_counter_sees_the_forgotten_charge) {
  struct Hardware {
    std::uint32_t value = 0;
  } hardware;
  const Counter counter{&hardware,
                        [](void* h, std::uint32_t* v) {
                          *v = static_cast<Hardware*>(h)->value;
                          return true;
                        },
                        [](void*, std::uint32_t) { return true; }};
  LedgerHooks hooks;
  hooks.counter = &counter;
  const FlashGeometry geometry{1152, 2, 4, 0xff};  // the third charge is not first in its sector
  const std::vector<std::uint8_t> image = image_after(geometry, 3, false);
  hardware.value = 4;  // consent and three charges
  std::uint32_t rolled_back = 0;
  for (std::uint32_t bit = 0; bit < image.size() * 8; ++bit) {
    Simulator simulator(geometry);
    load(simulator, image).put(bit / 8, static_cast<std::uint8_t>(image[bit / 8] ^ 1u << bit % 8));
    const Flash flash = simulator.flash();
    RoomyLedger<> ledger;
    const Status status = ledger.open(flash, hooks);
    rolled_back += status == Status::rolled_back ? 1 : 0;
    if (status == Status::ok) {
      ASSERT_EQ(ledger.total_spent().epsilon, 3 * k_charge.epsilon) << "bit " << bit;
    }
  }
  EXPECT_GT(rolled_back, 0u);
}

TEST(AdversarialFlash, random_bytes_are_refused_in_bounded_time) {
  for (const FlashGeometry& geometry : all_geometries()) {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
      Simulator simulator(geometry, seed);
      for (std::uint32_t a = 0; a < simulator.size(); ++a)
        if (seed % 2 == 0 || a % 8 <= seed % 7) simulator.put(a, static_cast<std::uint8_t>(simulator.random()));
      const Flash flash = simulator.flash();
      const LedgerHooks hooks;
      RoomyLedger<> ledger;
      ASSERT_EQ(ledger.open(flash, hooks), Status::ledger_corrupt);
      ASSERT_EQ(ledger.create(flash, hooks, k_policy, birth_entropy()), Status::ledger_corrupt);
      ASSERT_LT(simulator.reads(), 16 * simulator.size());
      ASSERT_EQ(simulator.writes(), 0u) << "a refusal writes nothing";
    }
  }
}

TEST(AdversarialFlash, a_tail_of_heads_that_promise_long_images_takes_bounded_time) {
  const FlashGeometry geometry{1024, 2, 1, 0xff};
  const std::vector<std::uint8_t> image = image_after(geometry, 1, true);
  Simulator simulator(geometry);
  load(simulator, image);
  // Every free line of the flash says that it is the first of an image of two studies: no cut leaves that.
  const ImageLine line{0, k_ledger_magic, 99, 99, k_ledger_version, 1, 0, 2, 160, 17, geometry};
  std::uint32_t promises = 0;
  for (std::uint32_t a = 0; a < simulator.size(); a += k_line_bytes) {
    bool blank = true;
    for (std::uint32_t i = 0; i < k_line_bytes; ++i) blank = blank && simulator.byte(a + i) == 0xff;
    if (!blank) continue;
    ++promises;
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&line);
    for (std::uint32_t i = 0; i < k_line_bytes; ++i) simulator.put(a + i, bytes[i]);
  }
  EXPECT_GT(promises, 20u);
  const Flash flash = simulator.flash();
  const LedgerHooks hooks;
  RoomyLedger<> ledger;
  EXPECT_EQ(ledger.open(flash, hooks), Status::ledger_corrupt);
  EXPECT_EQ(simulator.writes(), 0u);
  EXPECT_LT(simulator.reads(), 2 * simulator.size());
}

// Falling back by one image must not bring back what the owner changed.
TEST(AdversarialFlash, a_flip_brings_back_neither_consent_nor_policy) {
  for (const FlashGeometry& geometry : all_geometries()) {
    for (const bool withdraw : {true, false}) {
      Simulator original(geometry);
      const Flash first = original.flash();
      const LedgerHooks hooks;
      std::vector<std::uint8_t> image;
      {
        RoomyLedger<> ledger;
        ASSERT_EQ(ledger.create(first, hooks, k_policy, birth_entropy()), Status::ok);
        ASSERT_EQ(ledger.set_consent(true), Status::ok);
        ASSERT_EQ(withdraw ? ledger.set_consent(false) : ledger.set_policy({}), Status::ok);
      }
      for (std::uint32_t a = 0; a < original.size(); ++a) image.push_back(original.byte(a));
      for (std::uint32_t bit = 0; bit < image.size() * 8; bit += 3) {
        Simulator simulator(geometry);
        load(simulator, image).put(bit / 8, static_cast<std::uint8_t>(image[bit / 8] ^ 1u << bit % 8));
        const Flash flash = simulator.flash();
        RoomyLedger<> ledger;
        const Status status = ledger.open(flash, hooks);
        if (status == Status::ok) {
          ASSERT_TRUE(withdraw ? !ledger.consent() : ledger.policy().total == Charge{}) << "bit " << bit;
        } else {
          ASSERT_TRUE(status == Status::ledger_corrupt || status == Status::no_ledger) << "bit " << bit;
        }
      }
    }
  }
}

TEST(Wear, sectors_are_erased_equally_often_over_a_long_life) {
  for (const FlashGeometry& geometry : all_geometries()) {
    Simulator simulator(geometry);
    const Flash flash = simulator.flash();
    const LedgerHooks hooks;
    RoomyLedger<> ledger;
    StudyEntry* entry = nullptr;
    const Digest digest{2};
    const Policy policy{{~std::uint64_t{0}, 0}, {~std::uint64_t{0}, 0}};
    ASSERT_EQ(ledger.create(flash, hooks, policy, birth_entropy()), Status::ok);
    ASSERT_EQ(ledger.set_consent(true), Status::ok);
    ASSERT_EQ(ledger.enrol(digest, k_anybody), Status::ok);
    ASSERT_EQ(find_study(ledger, digest, entry), Status::ok);
    std::vector<std::uint8_t> report(40, 1);
    for (std::uint16_t round = 1; round <= 2000; ++round) {
      ASSERT_EQ(charge(ledger, entry, round, {1, 0}, report.size()), Status::ok);
      ASSERT_EQ(store(ledger, entry, report), Status::ok);
      if (round % 50 == 0) {
        ASSERT_EQ(ledger.open(flash, hooks), Status::ok);
      }
    }
    std::uint32_t least = ~0u, most = 0;
    for (std::uint32_t s = 0; s < geometry.sectors; ++s) {
      least = std::min(least, simulator.erases(s));
      most = std::max(most, simulator.erases(s));
    }
    EXPECT_LE(most - least, 1u);
    EXPECT_GT(least, 20u);
    EXPECT_EQ(simulator.violations(), 0u);
    EXPECT_EQ(ledger.total_spent().epsilon, 2000u);
  }
}

}  // namespace
}  // namespace sotto
