// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of the question top, bit for bit: words, hashes, reports, and parts that are refused.
#include "asked_question.hpp"
#include "sotto/question/top.hpp"
#include "sotto/spec/grr.hpp"
#include "vector_row.hpp"
#include "vectors_item.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::expect;
using vectors::Row;

AskedQuestion asked;

void words_and_hashes_are_the_references() {
  std::size_t n = 0;
  for (const vectors::Item& v : vectors::k_item) {
    const Row row{n++};
    expect(v.fragment, item_fragment({v.study.data(), v.pseudonym, v.round}, v.part[3]), row);
    const std::uint64_t word = item_word({v.part[0], v.part[1], v.part[2], v.fragment}, v.study.data(),
                                         vectors::k_item_bytes + v.first, v.length);
    expect(static_cast<std::uint32_t>(v.word), static_cast<std::uint32_t>(word), row);
    expect(static_cast<std::uint32_t>(v.word >> 32), static_cast<std::uint32_t>(word >> 32), row);
    expect(v.hash, item_hash(v.bits, {v.study.data(), v.pseudonym, v.round}, word), row);
  }
}

void reports_are_the_references() {
  std::size_t n = 0;
  for (const vectors::Item& v : vectors::k_item) {
    const Row row{n++};
    asked.begin(1);
    asked.manifest.epsilon = v.epsilon_nano;
    asked.manifest.seed = v.study.data();
    asked.ask(Recipe::item, {v.part[0], v.part[1], v.part[2], v.part[3]});
    asked.through(GrrSpec{.categories = 1u << v.bits});
    expect(v.threshold, asked.round.spec[1], row);
    expect(Status::ok, asked.check(k_top), row);
    Asked as_asked = asked.asked(true);
    as_asked.label = {v.study.data(), v.pseudonym, v.round};
    ScriptedEntropy entropy{v.entropy.data(), v.entropy.size()};
    PrivateCoins coins;
    expect(Status::ok, coins.begin_report(entropy.source()), row);
    LocalData local{};
    local.item = vectors::k_item_bytes + v.first;
    local.item_bytes = v.length;
    k_top.prepare(as_asked, local, coins);
    k_top.report(as_asked, coins, {asked.payload, asked.plan.payload_bytes});
    std::uint32_t number = 0;
    for (std::size_t i = asked.plan.payload_bytes; i-- > 0;) number = number << 8 | asked.payload[i];
    expect(v.report, number, row);
  }
}

void parts_that_do_not_exist_are_refused() {
  std::size_t n = 0;
  for (const vectors::ItemBad& v : vectors::k_item_bad) {
    const Row row{n++};
    asked.begin(2);
    asked.through(GrrSpec{.categories = 8});
    asked.ask(Recipe::item, {v.part[0], v.part[1], v.part[2], v.part[3]});
    expect(v.status, asked.check(k_top), row);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(words_and_hashes_are_the_references);
  RUN_TEST(reports_are_the_references);
  RUN_TEST(parts_that_do_not_exist_are_refused);
  return UNITY_END();
}
