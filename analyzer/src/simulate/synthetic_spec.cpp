// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/synthetic_spec.hpp"

#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace sotto::analyzer {
namespace {

template <class Number>
bool parse(std::string_view text, Number& out) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), out);
  return status == std::errc() && end == text.data() + text.size();
}

bool parse_finite(std::string_view text, double& out) { return parse(text, out) && std::isfinite(out); }

Error bad_world(std::string_view what, std::string value, std::string fix) {
  return {"simulate.bad_world", std::string(what), std::move(value), std::move(fix)};
}

constexpr std::uint32_t k_samples_max = 1000000;

}  // namespace

Result<Signal> parse_signal(std::string_view word) {
  if (word == "uniform") return Signal{.kind = Signal::Kind::uniform, .value = 1};
  if (double value = 0; parse_finite(word, value)) return Signal{.kind = Signal::Kind::equal, .value = value};
  return Error{"simulate.bad_signal", "the signal is neither a number nor uniform", std::string(word),
               "write 0.2 for coefficients of that size, or uniform"};
}

Result<Noise> parse_noise(std::string_view word) {
  const std::size_t colon = word.find(':');
  const std::string_view name = word.substr(0, colon);
  Noise noise;
  bool good = false;
  if (colon == std::string_view::npos) {
    good = parse_finite(word, noise.size) && noise.size >= 0;
  } else if (name == "uniform") {
    noise.kind = Noise::Kind::uniform;
    good = parse_finite(word.substr(colon + 1), noise.size) && noise.size >= 0;
  } else if (name == "student") {
    noise.kind = Noise::Kind::student;
    good = parse_finite(word.substr(colon + 1), noise.size) && noise.size > 0;
  }
  if (good) return noise;
  return Error{
      "simulate.bad_noise", "the noise is not one of a deviation, uniform:C and student:DF", std::string(word),
      "write 1 for a Gaussian of that deviation, uniform:0.5 for [-0.5, 0.5], student:3 for 3 degrees of freedom"};
}

Result<SampleRange> parse_samples(std::string_view word) {
  const std::size_t colon = word.find(':');
  SampleRange range;
  bool good = parse(word.substr(0, colon), range.low);
  range.high = range.low;
  if (good && colon != std::string_view::npos) good = parse(word.substr(colon + 1), range.high);
  if (good && range.low >= 1 && range.low <= range.high && range.high <= k_samples_max) return range;
  return Error{"simulate.bad_samples", "the samples of a device are neither a count nor a range", std::string(word),
               fmt::format("write 100, or 20:200 for 20 to 200; from 1 to {}", k_samples_max)};
}

Result<Design> parse_design(std::string_view word) {
  if (word == "independent") return Design::independent;
  if (word == "correlated") return Design::correlated;
  if (word == "rademacher") return Design::rademacher;
  if (word == "unit-ball") return Design::unit_ball;
  return Error{"simulate.bad_design", "there is no such design", std::string(word),
               "write independent, correlated, rademacher or unit-ball"};
}

Result<Done> check(const SyntheticSpec& spec) {
  if (spec.devices == 0) return bad_world("a fleet has a device at least", "0", "ask for more users");
  if (spec.features < 1 || spec.features > 65535) {
    return bad_world("a world has 1 to 65535 features", std::to_string(spec.features), "choose another dimension");
  }
  const SyntheticLevels& levels = spec.levels;
  if (levels.columns >= spec.features || levels.nonzeros > levels.columns) {
    return bad_world("columns between devices",
                     fmt::format("{} of {}, {} with an effect", levels.columns, spec.features, levels.nonzeros),
                     "leave columns that vary, and let no more have an effect than there are");
  }
  if (levels.columns > 0 && !(levels.spread > 0 && levels.nonzeros * levels.effect * levels.effect < 1)) {
    return bad_world("levels of devices", fmt::format("{} effects of {}", levels.nonzeros, levels.effect),
                     "the squares of the effects are below 1 together, and levels differ");
  }
  if (spec.nonzeros > spec.features - levels.columns) {
    return bad_world("more nonzeros than features", fmt::format("{} of {}", spec.nonzeros, spec.features),
                     "lower the nonzeros or raise the dimension");
  }
  if (spec.samples_low < 1 || spec.samples_low > spec.samples_high || spec.samples_high > k_samples_max) {
    return bad_world("the samples of a device", fmt::format("{}:{}", spec.samples_low, spec.samples_high),
                     fmt::format("write low:high with 1 <= low <= high <= {}", k_samples_max));
  }
  if (!spec.effects.empty() && spec.effects.size() != spec.features) {
    return bad_world("there is not one effect for each feature",
                     fmt::format("{} for {}", spec.effects.size(), spec.features), "give as many as features");
  }
  if (!std::isfinite(spec.signal.value))
    return bad_world("the signal", fmt::format("{}", spec.signal.value), "a number");
  const bool sized = spec.noise.kind == Noise::Kind::student ? spec.noise.size > 0 : spec.noise.size >= 0;
  if (!sized || !std::isfinite(spec.noise.size)) {
    return bad_world("the size of the noise", fmt::format("{}", spec.noise.size),
                     "it is at least 0, and degrees of freedom are above 0");
  }
  if (!(spec.empty >= 0 && spec.empty <= 1)) {
    return bad_world("the share of empty devices", fmt::format("{}", spec.empty), "it is from 0 to 1");
  }
  if (spec.unit_q15 < 1 || spec.unit_q15 > 32767) {
    return bad_world("what stands for 1.0 on a device", std::to_string(spec.unit_q15), "it is from 1 to 32767");
  }
  return Done{};
}

}  // namespace sotto::analyzer
