// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The session functions of sotto.h.
#include "layout.hpp"
#include "sotto/local/readings.hpp"

using namespace sotto;
using namespace sotto::c_api;

namespace {

[[nodiscard]] sotto_status code(Status status) noexcept { return static_cast<sotto_status>(status); }
[[nodiscard]] Session& of(sotto_session* session) noexcept { return as<Session>(session); }
[[nodiscard]] const Session& of(const sotto_session* session) noexcept { return as<Session>(session); }
[[nodiscard]] std::span<std::byte> bytes_of(void* work, size_t size) noexcept {
  return {static_cast<std::byte*>(work), size};
}

}  // namespace

sotto_status sotto_session_open(sotto_session* session, const uint8_t* manifest, size_t manifest_bytes,
                                sotto_ledger* ledger, const sotto_hooks* hooks) {
  if (found_in(session).is_busy()) return code(Status::reentered);  // a hook of this session called back
  wipe(session, sizeof(Session));  // the constructor clears member by member, which takes 130 bytes of flash
  // A clock whose `check` was not set would refuse nothing.
  if (hooks->clock != nullptr && hooks->clock->check == nullptr) return code(Status::clock_not_set);
  return code(of(session).open_new({manifest, manifest_bytes}, as<Ledger>(ledger), as<SessionHooks>(hooks)));
}

void sotto_session_close(sotto_session* session) { of(session).close(); }

sotto_status sotto_prepare(sotto_session* session, const uint8_t* round, size_t round_bytes, const sotto_local* local,
                           void* work, size_t work_bytes) {
  return code(of(session).prepare({round, round_bytes}, as<LocalData>(local), bytes_of(work, work_bytes)));
}

sotto_status sotto_send(sotto_session* session, uint8_t* report, size_t report_bytes, size_t* used) {
  return code(of(session).send({report, report_bytes}, *used));
}

sotto_status sotto_answer(sotto_session* session, const uint8_t* round, size_t round_bytes, const sotto_local* local,
                          void* work, size_t work_bytes, uint8_t* report, size_t report_bytes, size_t* used) {
  return code(of(session).answer({round, round_bytes}, as<LocalData>(local), bytes_of(work, work_bytes),
                                 {report, report_bytes}, *used));
}

sotto_status sotto_acknowledge(sotto_session* session, uint16_t round_number) {
  return code(of(session).acknowledge(round_number));
}

uint32_t sotto_slot(const sotto_session* session, uint16_t round_number) { return of(session).slot(round_number); }

int16_t sotto_reading(const sotto_session* session, uint32_t j, int32_t reading) {
  const Manifest& manifest = of(session).manifest();
  if (!of(session).is_open() || j > manifest.features) return 0;
  const Q15 scaled = reading_q15_saturate(reading, manifest_scale(manifest, j));  // the decoder refuses invalid scales
  // In own units the lowest number says that there is no reading: one that is merely too low is not missing.
  if (manifest.units == RowUnits::own && scaled == k_missing_reading) return -32767;
  return scaled;
}
