// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// What a session tells about a round before it is answered. In a file of its own so that only a firmware that asks links
// it.
#include "layout.hpp"

using namespace sotto;
using namespace sotto::c_api;

static_assert(sizeof(sotto_round) == sizeof(RoundInfo) &&
              offsetof(sotto_round, send_at) == offsetof(RoundInfo, send_at) &&
              offsetof(sotto_round, number) == offsetof(RoundInfo, number) &&
              offsetof(sotto_round, question) == offsetof(RoundInfo, question) &&
              offsetof(sotto_round, cohort) == offsetof(RoundInfo, cohort) &&
              offsetof(sotto_round, state) == offsetof(RoundInfo, state) &&
              offsetof(sotto_round, is_for_this_device) == offsetof(RoundInfo, is_for_this_device));
static_assert(SOTTO_ROUND_KEPT == static_cast<int>(RoundState::kept) &&
              SOTTO_ROUND_ACKNOWLEDGED == static_cast<int>(RoundState::acknowledged) &&
              SOTTO_ROUND_LOST == static_cast<int>(RoundState::lost) &&
              SOTTO_ROUND_PASSED == static_cast<int>(RoundState::passed) &&
              SOTTO_ROUND_OVER == static_cast<int>(RoundState::over));

sotto_status sotto_round_info(const sotto_session* session, const uint8_t* round, size_t round_bytes,
                              sotto_round* info) {
  return static_cast<sotto_status>(as<Session>(session).about({round, round_bytes}, as<RoundInfo>(info)));
}

sotto_status sotto_work_bytes(sotto_session* session, const uint8_t* round, size_t round_bytes, bool mapped,
                              size_t* work_bytes) {
  return static_cast<sotto_status>(as<Session>(session).work_bytes({round, round_bytes}, mapped, *work_bytes));
}
