// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "scalar.hpp"

#include "sotto/randomize/laplace.hpp"
#include "sotto/randomize/window.hpp"

namespace sotto {

Status check_scalar(const Asked& asked, AnswerPlan& plan) noexcept {
  const Round& round = asked.round;
  const bool is_window = round.stem == Stem::window;
  if (!is_window && round.stem != Stem::laplace) return Status::bad_channel;
  if (!spec_ends(round, is_window ? 3 : 2)) return Status::bad_field;
  TwoLevel channel;
  const Status status = is_window
                            ? certify_front(asked, k_front_stem<WindowSpec, 3>, channel)
                            : certify_front(asked, LaplaceSpec{asked.manifest.epsilon, round.spec[0], round.spec[1]});
  if (status != Status::ok) return status;
  const std::size_t payload = is_window ? outcome_bytes(channel.outcomes) : payload_bytes_of(round.spec[1]);
  plan = {payload, kept_bytes_of<std::int32_t>(1), 0};
  return asked.work.size() < plan.kept_bytes ? Status::short_buffer : Status::ok;
}

void keep_scalar(const Asked& asked, std::int32_t answer_q15) noexcept { number_of<std::int32_t>(asked) = answer_q15; }

void report_scalar(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
  const std::int32_t answer = number_of<std::int32_t>(asked);
  std::uint32_t report = 0;
  if (asked.round.stem == Stem::window) {
    (void)window(certified_of<WindowSpec>(asked), answer, coins, report);
  } else {
    const auto& certified = certified_of<LaplaceSpec>(asked);
    (void)laplace(certified, on_grid(answer, certified.spec().radius), coins, report);
  }
  write_number(report, payload);
}

}  // namespace sotto
