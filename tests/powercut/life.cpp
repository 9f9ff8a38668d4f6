// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "life.hpp"

namespace sotto {

namespace {

enum class Act : std::uint8_t { create, consent_on, consent_off, enrol, answer, answer_and_acknowledge, again, policy };
struct Step {
  Act act;
  std::uint8_t study = 0;
  std::uint16_t round = 0;
};

constexpr Policy k_policy{.per_study = {2'000'000'000, 40}, .total = {2'250'000'000, 50}};
constexpr Policy k_raised{.per_study = {9'000'000'000, 400}, .total = {9'000'000'000, 400}};

constexpr Step k_script[] = {
    {Act::create},       {Act::enrol, 0},          {Act::consent_on},
    {Act::answer, 0, 1}, {Act::again, 0, 1},       {Act::enrol, 1},
    {Act::answer, 1, 0}, {Act::answer, 0, 2},      {Act::answer_and_acknowledge, 1, 3},
    {Act::enrol, 2},     {Act::answer, 2, 7},      {Act::answer_and_acknowledge, 0, 4},
    {Act::again, 2, 7},  {Act::answer, 1, 4},      {Act::again, 0, 4},
    {Act::policy},       {Act::answer, 2, 8},      {Act::answer, 2, 9},
    {Act::consent_off},  {Act::consent_on},        {Act::again, 2, 9},
    {Act::answer, 0, 5}, {Act::answer, 1, 9},      {Act::answer_and_acknowledge, 2, 20},
    {Act::answer, 0, 6}, {Act::answer, 0, 7},      {Act::again, 1, 9},
    {Act::answer, 1, 1}, {Act::answer, 2, 0xffff},
};

Digest digest_of(std::uint32_t study) {
  Digest digest{};
  digest.fill(0x51);
  digest[31] = static_cast<std::uint8_t>(study);  // a prefix would not tell them apart
  return digest;
}

}  // namespace

void Life::check(bool promise, const char* what, Status status) {
  if (promise || !complaint.empty()) return;
  complaint = std::string(what) + " at step " + std::to_string(step_) + ", status " + std::to_string(int(status));
}

void Life::check_books() {
  Charge sum, most;
  for (std::uint32_t k = 0; k < k_studies; ++k) {
    StudyEntry* entry = nullptr;
    const Status status = find_study(*ledger_, digest_of(k), entry);
    const Charge on_record = status == Status::ok ? entry->spent : Charge{};
    check(on_record.epsilon >= spent_[k].epsilon && on_record.delta >= spent_[k].delta,
          "a study's spend was forgotten");
    check(on_record.epsilon <= spent_[k].epsilon + maybe_[k].epsilon, "a study paid for nothing");
    spent_[k] = on_record;
    maybe_[k] = {};
    sum.epsilon += on_record.epsilon;
    sum.delta += on_record.delta;
  }
  check(ledger_->total_spent() == sum, "the total is not the sum of the studies");
  check(consent_ < 0 || ledger_->consent() == (consent_ != 0), "consent is another than the owner's");
  consent_ = ledger_->consent() ? 1 : 0;
}

bool Life::answer(std::uint32_t study, std::uint16_t round, bool acknowledge) {
  StudyEntry* entry = nullptr;
  Round& world = rounds_[{study, round}];
  std::array<std::uint8_t, 64> bytes{};
  std::size_t size = 0;
  Status status = find_study(*ledger_, digest_of(study), entry);
  if (status == Status::ok) status = stored_report(*ledger_, entry, round, bytes, size);
  if (status == Status::not_answered) {
    maybe_[study] = k_charge;
    size = 18 + draw_number_ % 23;
    status = charge(*ledger_, entry, round, k_charge, size);
    if (status == Status::flash_fault) return false;
    maybe_[study] = {};
    check(status == Status::ok || status == Status::already_answered || status == Status::over_study_cap ||
              status == Status::over_total_cap,
          "a charge was refused", status);
    if (status != Status::ok) return true;
    spent_[study].epsilon += k_charge.epsilon;
    spent_[study].delta += k_charge.delta;
    check(++world.draws == 1, "a second draw was bought");
    ++draw_number_;
    for (std::size_t i = 0; i < size; ++i)
      bytes[i] = static_cast<std::uint8_t>(draw_number_ * 37 + i * (draw_number_ | 1));
    status = store(*ledger_, entry, std::span(bytes).first(size));
    if (status == Status::flash_fault) return false;
    check(status == Status::ok, "a paid report was not stored", status);
  } else if (status == Status::flash_fault) {
    return false;
  } else {
    check(status == Status::ok || status == Status::already_answered || status == Status::spent_unsent,
          "an answer was refused", status);
  }
  if (status == Status::ok) {
    const std::vector<std::uint8_t> now(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    check(world.sent.empty() || world.sent == now, "a round was answered with two different reports");
    world.sent = now;
    ++answered;
    if (acknowledge && sotto::acknowledge(*ledger_, entry, round) == Status::flash_fault) return false;
  } else {
    ++lost;
  }
  return true;
}

bool Life::withdraw(bool on) {
  const int before = consent_;
  consent_ = -1;
  const Status status = ledger_->set_consent(on);
  if (status == Status::flash_fault) return false;
  check(status == Status::ok, "consent was refused", status);
  consent_ = status == Status::ok ? (on ? 1 : 0) : before;
  return true;
}

bool Life::step(std::uint32_t number) {
  const Step& s = k_script[number];
  Credential credential;
  Status status = Status::ok;
  switch (s.act) {
    case Act::create:
      if (created_) return true;
      status = ledger_->create(flash_, hooks_, k_policy, birth_entropy());
      // Two cuts in a row can leave the flash of an interrupted create() beyond repair: nothing was spent, nothing is.
      if (status == Status::ledger_corrupt && cuts_felt > 1) {
        ended_ = true;
        return true;
      }
      check(status == Status::ok || status == Status::flash_fault, "create was refused", status);
      created_ = status == Status::ok;
      break;
    case Act::consent_on: return withdraw(true);
    case Act::consent_off: return withdraw(false);
    case Act::enrol:
      credential.pseudonym = 1000 + s.study;
      credential.key.fill(s.study);
      credential.has_key = s.study != 1;
      status = ledger_->enrol(digest_of(s.study), credential);
      check(status == Status::ok || status == Status::study_exists || status == Status::flash_fault, "enrol", status);
      break;
    case Act::again:
    case Act::answer: return answer(s.study, s.round, false);
    case Act::answer_and_acknowledge: return answer(s.study, s.round, true);
    case Act::policy:
      status = ledger_->set_policy(k_raised);
      check(status == Status::ok || status == Status::flash_fault, "policy was refused", status);
      break;
  }
  return status != Status::flash_fault;
}

void Life::run(const std::vector<std::pair<std::uint32_t, Tear>>& cuts) {
  constexpr std::uint32_t k_steps = sizeof k_script / sizeof k_script[0];
  for (std::size_t boots = 0; boots <= cuts.size() && step_ < k_steps && complaint.empty() && !ended_; ++boots) {
    RoomyLedger<> ledger;
    ledger_ = &ledger;
    simulator_.power_on();
    if (boots < cuts.size()) simulator_.cut_at(cuts[boots].first, cuts[boots].second);
    simulator_.weak_erases(cuts.size() == 1);  // LEDGER.md: two cuts in a row may leave what only reads as blank
    const std::uint32_t reads = simulator_.reads(), operations = simulator_.operations();
    const Status status = ledger.open(flash_, hooks_);
    check(simulator_.reads() - reads < 4 * simulator_.size(), "open() read too often");
    check(simulator_.operations() - operations < 200, "open() wrote too often");
    if (simulator_.is_dead()) {
      ++cuts_felt;
      continue;
    }
    if (status == Status::ok) {
      created_ = true;
      check_books();
    } else {
      check(!created_ && (status == Status::no_ledger || status == Status::ledger_corrupt), "open", status);
      for (std::uint32_t k = 0; k < k_studies; ++k) check(spent_[k].epsilon == 0, "the ledger is gone");
    }
    while (step_ < k_steps && complaint.empty() && !ended_ && step(step_)) ++step_;
    if (simulator_.is_dead())
      ++cuts_felt;
    else if (step_ < k_steps && !ended_)
      check(false, "the life ended without a cut");
  }
  check(simulator_.violations() == 0, "the flash was used against its rules");
}

}  // namespace sotto
