// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "reference.hpp"

#include <cstring>

#include "sotto/wire/report.hpp"

namespace sotto::model {

std::uint32_t Reference::answers(std::uint32_t of) const {
  std::uint32_t n = 0;
  for (const Left& round : left[of]) n += round.bytes != 0 ? 1 : 0;
  return n;
}

std::uint64_t Reference::spent() const {
  std::uint64_t sum = 0;
  for (std::uint32_t k = 0; k < k_studies; ++k) sum += answers(k) * k_price;
  return sum;
}

const char* name_of(Promise promise) {
  constexpr const char* k_names[] = {"kept", "recorded", "one_draw", "consented", "capped", "refusal", "stale", "once"};
  return k_names[static_cast<std::size_t>(promise)];
}

namespace {

std::uint64_t recorded() { return sotto_ledger_spent(&memory.ledger).epsilon; }

/// On record and outside: neither more than the policy and the studies allow.
bool within_limits(const Reference& reference, const sotto_policy& policy) {
  for (std::uint32_t k = 0; k < k_studies; ++k) {
    const std::uint32_t n = reference.answers(k);
    if (n > k_answers[k] || n * k_price > policy.per_study.epsilon) return false;
  }
  return reference.spent() <= policy.total.epsilon && recorded() <= policy.total.epsilon;
}

/// What a refused call may touch: its own session, which forgets the answer. An opening, also one that finds what it should have
/// created, closes the ledger and finishes in flash what a cut interrupted; judge_boot() asks whether the same is found afterwards.
bool is_unchanged(const Action& a, const Memory& before) {
  const bool anew = a.verb == Verb::open || a.verb == Verb::create;
  if (!anew && std::memcmp(memory.flash, before.flash, sizeof before.flash) != 0) return false;
  for (std::uint32_t s = 0; s < k_sessions; ++s) {
    if (s == a.session && (a.verb == Verb::open_session || a.verb == Verb::prepare || a.verb == Verb::send)) continue;
    if (std::memcmp(&memory.session[s], &before.session[s], sizeof before.session[s]) != 0) return false;
  }
  return anew || std::memcmp(memory.words, before.words, sizeof before.words) == 0;
}

std::uint64_t recorded_in(const Memory& before) {
  // The library's own sum, of the copy: its pointers lead to `memory`, so the copy takes its place for a moment.
  static Memory now;
  now = memory;
  memory = before;
  const std::uint64_t sum = recorded();
  memory = now;
  return sum;
}

void forget_sessions(Reference& reference) {
  for (std::uint32_t s = 0; s < k_sessions; ++s) reference.fresh[s] = false;
}

/// After a cut nobody knows whether what was being written is there.
void doubt(Reference& reference, const Action& a) {
  reference.open = false;
  forget_sessions(reference);
  if (a.verb == Verb::create && reference.created == Known::no) reference.created = Known::either;
  if (a.verb == Verb::consent && (reference.consent == Known::yes) != a.on) reference.consent = Known::either;
  if (a.verb == Verb::remove && reference.removed[a.study] == Known::no) reference.removed[a.study] = Known::either;
}

Promise judge_report(Reference& reference, const Action& a, const Outcome& outcome) {
  if (reference.consent == Known::no) return Promise::consented;
  ReportHeader header;
  if (outcome.bytes > sizeof Reference::Left::report ||
      decode_header({outcome.report, outcome.bytes}, header) != Status::ok)
    return Promise::one_draw;
  const std::uint32_t round = header.round, study = reference.study[a.session];
  if (round == 0 || round > k_rounds || round != reference.prepared[a.session]) return Promise::one_draw;
  Reference::Left& left = reference.left[study][round - 1];
  if (left.bytes == 0) {
    left.bytes = static_cast<std::uint8_t>(outcome.bytes);
    std::memcpy(left.report, outcome.report, outcome.bytes);
    return Promise::kept;
  }
  const bool same = left.bytes == outcome.bytes && std::memcmp(left.report, outcome.report, outcome.bytes) == 0;
  return same ? Promise::kept : Promise::one_draw;
}

Promise judge_success(Reference& reference, const Action& a, const Outcome& outcome) {
  const bool of_session = a.verb == Verb::prepare || a.verb == Verb::send || a.verb == Verb::acknowledge;
  if (of_session && (!reference.fresh[a.session] || !reference.open)) return Promise::stale;
  switch (a.verb) {
    case Verb::create:
      if (reference.created == Known::yes || reference.spent() != 0) return Promise::once;
      reference.created = Known::yes;
      reference.consent = Known::no;
      reference.open = true;
      break;
    case Verb::open:
      if (reference.created == Known::no) return Promise::once;
      reference.created = Known::yes;
      reference.open = true;
      break;
    case Verb::close: reference.open = false; break;
    case Verb::enrol:
      if (reference.removed[a.study] == Known::yes) return Promise::once;
      reference.removed[a.study] = Known::no;
      break;
    case Verb::open_session:
      reference.fresh[a.session] = true;
      reference.study[a.session] = a.study;
      reference.prepared[a.session] = 0;
      break;
    case Verb::close_session: reference.fresh[a.session] = false; break;
    case Verb::prepare: reference.prepared[a.session] = a.round; break;
    case Verb::send: return judge_report(reference, a, outcome);
    case Verb::consent: reference.consent = a.on ? Known::yes : Known::no; break;
    case Verb::remove: reference.removed[a.study] = Known::yes; break;
    case Verb::reboot:
      reference.open = false;
      forget_sessions(reference);
      break;
    case Verb::acknowledge: break;
  }
  return Promise::kept;
}

}  // namespace

Promise judge(Reference& reference, const Action& a, const Outcome& outcome, const Memory& before,
              const sotto_policy& policy) {
  const bool anew = a.verb == Verb::open || a.verb == Verb::create;
  if (anew) forget_sessions(reference);
  if (outcome.cut) {
    if (outcome.status == SOTTO_OK && a.verb == Verb::send) return Promise::recorded;  // left, and the flash failed
    doubt(reference, a);
    return Promise::kept;
  }
  const bool was_open = reference.open;
  if (outcome.status != SOTTO_OK) {
    if (anew) reference.open = false;
    if (a.verb == Verb::open_session) reference.fresh[a.session] = false;
    if (outcome.bytes != 0 || !is_unchanged(a, before)) return Promise::refusal;
  } else if (const Promise p = judge_success(reference, a, outcome); p != Promise::kept) {
    return p;
  }
  if (!reference.open) return Promise::kept;
  if (reference.consent == Known::either && anew)
    reference.consent = sotto_ledger_consent(&memory.ledger) ? Known::yes : Known::no;
  if (sotto_ledger_consent(&memory.ledger) != (reference.consent == Known::yes)) return Promise::consented;
  const std::uint64_t now = recorded();
  if (now < reference.spent()) return Promise::recorded;
  if (was_open && !anew) {
    const std::uint64_t then = recorded_in(before);
    if (now < then) return Promise::recorded;
    if (now > then && (a.verb != Verb::send || reference.consent != Known::yes)) return Promise::consented;
  }
  return within_limits(reference, policy) ? Promise::kept : Promise::capped;
}

Promise judge_boot(const Reference& reference, const sotto_policy& policy) {
  static Memory now;
  now = memory;
  lose_power();
  const sotto_status status = act({Verb::open}, policy, {}).status;
  Promise broken = Promise::kept;
  if (status == SOTTO_OK) {
    if (recorded() < reference.spent()) broken = Promise::recorded;
    if (recorded() > policy.total.epsilon) broken = Promise::capped;
    if (reference.consent == Known::no && sotto_ledger_consent(&memory.ledger)) broken = Promise::consented;
  } else if (status != SOTTO_NO_LEDGER || reference.created == Known::yes) {
    broken = Promise::recorded;  // no cut may cost the device its ledger
  }
  memory = now;
  return broken;
}

}  // namespace sotto::model
