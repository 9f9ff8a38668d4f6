// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/channel/spec_check.hpp"

namespace sotto::analyzer {

std::string_view stem_name(Stem stem) noexcept {
  switch (stem) {
    case Stem::grr: return "grr";
    case Stem::walsh_hash: return "walsh_hash";
    case Stem::hadamard_response: return "hadamard_response";
    case Stem::block: return "block";
    case Stem::window: return "window";
    case Stem::hemisphere: return "hemisphere";
    case Stem::cross_polytope: return "cross_polytope";
    case Stem::sphere_code: return "sphere_code";
    case Stem::laplace: return "laplace";
    case Stem::gaussian: return "gaussian";
    case Stem::vote: return "vote";
  }
  return "unknown stem";
}

namespace {

struct Refusal {
  std::string_view code, fix;
};

Refusal refusal_of(Status status) noexcept {
  switch (status) {
    case Status::bad_dimension:
      return {"spec.bad_dimension", "give a number of categories or dimensions in the stem's range"};
    case Status::bad_channel: return {"spec.bad_channel", "let derive() fill in the parameters"};
    case Status::bad_epsilon:
      return {"spec.bad_epsilon", "give 0 < epsilon <= 12, not too small for 32-bit thresholds"};
    case Status::overspent: return {"spec.overspent", "let derive() choose the threshold or variance for this epsilon"};
    case Status::uncertified_point:
      return {"spec.uncertified_point", "take an (epsilon, delta) of the certified table"};
    default: return {"spec.refused", "let derive() fill in the parameters"};
  }
}

}  // namespace

Error spec_error(Status status, Stem stem, std::string value) {
  const Refusal r = refusal_of(status);
  return {r.code, "spec of " + std::string(stem_name(stem)), std::move(value), std::string(r.fix)};
}

Error no_information(Stem stem, std::string value) {
  return {"spec.no_information", "spec of " + std::string(stem_name(stem)), std::move(value),
          "raise the threshold: reports of this channel do not depend on the answer"};
}

std::string spec_text(EpsilonNano epsilon, std::span<const std::uint8_t> fields) {
  std::string text = "epsilon " + std::to_string(epsilon) + " nano-nats, fields";
  ByteReader in{fields};
  for (std::size_t i = 0; i + 4 <= fields.size(); i += 4) text.append(1, ' ').append(std::to_string(in.u32()));
  return text;
}

}  // namespace sotto::analyzer
