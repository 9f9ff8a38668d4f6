// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// sotto_report_bytes(), in a file of its own so that only a firmware that calls it links it.
#include "layout.hpp"
#include "sotto/local/hadamard_projection.hpp"
#include "sotto/spec/gaussian.hpp"
#include "sotto/wire/report.hpp"

using namespace sotto;
using namespace sotto::c_api;

namespace {

constexpr std::uint32_t k_plain_bytes = 16, k_outcome_bytes = 4, k_number_bytes = 3;
static_assert(SOTTO_VOTE_REPORT_BYTES == report_bytes_of(2, true) &&
              SOTTO_OUTCOME_REPORT_BYTES == report_bytes_of(k_outcome_bytes, true) &&
              SOTTO_NOISY_REPORT_BYTES(7) == report_bytes_of(7 * k_number_bytes, true) &&
              SOTTO_REPORT_BYTES_MAX == k_report_max_bytes && k_header_bytes == k_plain_bytes);

/// The longest payload of one kind of question, as `sotto study` asks it.
[[nodiscard]] std::uint32_t payload_max(const Manifest& study, QuestionKind kind) noexcept {
  switch (kind) {
    case QuestionKind::vote: return study.features < 256 ? 1 : 2;  // one of the features, or none
    case QuestionKind::sketch: return k_number_bytes * (k_projected_max + 1);
    case QuestionKind::synopsis: return k_report_max_bytes;
    case QuestionKind::update:
      if (study.delta != 0) return k_number_bytes * study.features;
      break;
    default: break;
  }
  return k_outcome_bytes;  // one outcome of a channel; with noise a label has three bytes
}

}  // namespace

size_t sotto_report_bytes(const uint8_t* manifest, size_t manifest_bytes) {
  Manifest study;
  if (decode_manifest({manifest, manifest_bytes}, study) != Status::ok) return k_report_max_bytes;
  std::uint32_t longest = 1;
  for (std::uint8_t kind = 1; kind <= k_question_last; ++kind) {
    if (!may_ask(study, static_cast<QuestionKind>(kind))) continue;
    const std::uint32_t payload = payload_max(study, static_cast<QuestionKind>(kind));
    if (payload > longest) longest = payload;
  }
  const std::size_t bytes = report_bytes_of(longest, study.authenticated);
  return bytes < k_report_max_bytes ? bytes : k_report_max_bytes;
}
