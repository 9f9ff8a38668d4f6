// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/channel/privacy_statement.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/channel/support_odds.hpp"
#include "sotto/analyzer/math/gaussian_delivered.hpp"

namespace sotto::analyzer {
namespace {

constexpr EpsilonNano k_weak_above = 4 * k_epsilon_one;

/// What "inside" means for each randomizer, as the end of the sentence "The report ...".
struct Inside {
  std::string operator()(const VoteSpec& s) const {
    return s.oracle == static_cast<std::uint32_t>(VoteOracle::grr) ? (*this)(as_grr(s)) : (*this)(as_walsh_hash(s));
  }
  std::string operator()(const GrrSpec&) const { return "says the truth"; }
  std::string operator()(const WalshHashSpec& s) const {
    return fmt::format("is the hash of the true answer, which one in {} other answers shares,",
                       std::uint32_t{1} << s.bits);
  }
  std::string operator()(const HadamardResponseSpec&) const { return "lies in the half that the true answer picks"; }
  std::string operator()(const BlockSpec& s) const {
    return s.flips == 0 ? std::string("says the true signs")
                        : fmt::format("is within {} flipped sign{} of the truth", s.flips, s.flips == 1 ? "" : "s");
  }
  std::string operator()(const WindowSpec& s) const {
    return fmt::format("is one of the {} of {} outcomes around the true value", s.width, s.outcomes);
  }
  std::string operator()(const LaplaceSpec&) const { return {}; }
  std::string operator()(const GaussianSpec&) const { return {}; }
  std::string operator()(const HemisphereSpec&) const { return "names the true side"; }
  std::string operator()(const CrossPolytopeSpec& s) const {
    return fmt::format("is one of the {} of {} directions closest to the truth", s.closest, 2u << s.log2_size);
  }
  std::string operator()(const SphereCodeSpec& s) const {
    return fmt::format("is one of the {} of {} directions closest to the truth", s.closest, s.codewords);
  }
};

std::string noise_text(const AnySpec& spec) {
  const auto* gaussian = std::get_if<GaussianSpec>(&spec);
  if (gaussian == nullptr) return "The report is the clipped value plus noise on a circle of grid steps.";
  return fmt::format(
      "The report is the clipped {} plus Gaussian noise on a grid: a standard deviation of {:.3g} times the range's "
      "half width.",
      gaussian->dimension == 1 ? "value" : "vector", std::sqrt(gaussian->variance) / gaussian->radius);
}

std::string_view unit_sentence(PrivacyUnit unit) {
  switch (unit) {
    case PrivacyUnit::installation: break;
    case PrivacyUnit::item:
      return "The unit is one record of a device. Records that tell the same, two reports, or two installations of a "
             "person add up.";
    case PrivacyUnit::label:
      return "The unit is the target of one record. Its features are in the analyst's hands, and so is which row a "
             "report belongs to: a label study identifies rows. Neither is protected.";
  }
  return "The unit is one installation's samples. A person with two installations, or two reports, spends twice; "
         "people "
         "who share a device share one epsilon.";
}

/// With enough digits to show the difference from certainty: 0.513, 0.99966.
int digits_of(double p) { return p < 0.99 ? 3 : static_cast<int>(std::ceil(-std::log10(1 - p))) + 1; }

std::string nearest_text(double p) { return fmt::format("{:.{}f}", p, digits_of(p)); }

/// Rounded up, for a sentence that says "at most".
std::string at_most_text(double p) {
  const double unit = std::pow(10.0, digits_of(p));
  return fmt::format("{:.{}f}", std::ceil(p * unit) / unit, digits_of(p));
}

/// A small probability with three digits, rounded up. A value below the smallest double is not called impossible.
std::string at_most_chance(double chance) {
  const double p = std::max(chance, 1e-300);
  const double unit = std::pow(10.0, 2 - std::floor(std::log10(p)));
  return fmt::format("{:.3g}", std::ceil(p * unit) / unit);
}

/// (epsilon, delta) bounds the probabilities of sets of reports. It does not bound the privacy loss of a single report
/// whose probability is below delta, so the probability of a larger loss is computed and stated too.
void say_promise(PrivacyStatement& s, const ChannelFacts& facts) {
  const std::string factor = fmt::format("e^{} = {:.4g}", nats_text(facts.declared), s.factor);
  if (facts.delta == 0) {
    s.sentences.push_back(fmt::format(
        "Whatever the device holds, no report is more than {} times as likely as it would be with any other answer.",
        factor));
    return;
  }
  s.sentences.push_back(
      fmt::format("Whatever the device holds, every set of reports has at most {} times the chance that it would have "
                  "with any other answer, plus {}.",
                  factor, delta_text(facts.delta)));
  s.sentences.push_back(fmt::format(
      "A single report can tell more: with a chance of at most {} it is more than {:.4g} times as likely with the true "
      "answer as with the one farthest from it.",
      at_most_chance(s.chance_above), s.factor));
}

}  // namespace

PrivacyStatement state_privacy(const AnySpec& spec, PrivacyUnit unit) {
  const ChannelFacts facts = facts_of(spec);
  PrivacyStatement s;
  s.epsilon = static_cast<double>(facts.delivered) / static_cast<double>(k_epsilon_one);
  s.factor = std::exp(static_cast<double>(facts.declared) / static_cast<double>(k_epsilon_one));
  s.delta = delta_chance(facts.delta);
  s.best_guess = (1 + s.delta / s.factor) / (1 + 1 / s.factor);
  if (facts.gaussian) s.chance_above = chance_above_epsilon(*facts.gaussian);
  s.weak = facts.declared > k_weak_above;
  if (facts.channel) {
    s.truth_probability = static_cast<double>(facts.channel->threshold) / 4294967296.0;
    s.sentences.push_back(fmt::format("The report {} with probability {}.", std::visit(Inside{}, spec),
                                      nearest_text(*s.truth_probability)));
  } else {
    s.sentences.push_back(noise_text(spec));
  }
  say_promise(s, facts);
  s.sentences.push_back(fmt::format(
      "Someone who thought two answers equally likely, and sees the report, guesses right at most {} of the time.",
      at_most_text(s.best_guess)));
  if (s.weak) s.sentences.emplace_back("This is weak: close to reporting the answer itself.");
  s.sentences.emplace_back(unit_sentence(unit));
  s.sentences.emplace_back(
      "Not protected: that a device takes part or is silent, when, from which address, and its pseudonym from whoever "
      "issued it.");
  return s;
}

PrivacyStatement state_privacy(const AnySpec& spec, bool authenticated, std::uint32_t answers, PrivacyUnit unit) {
  PrivacyStatement s = state_privacy(spec, unit);
  if (answers > 1)
    s.sentences.push_back(
        fmt::format("A device may answer {} rounds of this study, and pays epsilon for each.", answers));
  if (authenticated) {
    s.sentences.emplace_back(
        "Pseudonyms are issued: whoever issues them can link a report to a device. What protects the answer is "
        "epsilon.");
    return s;
  }
  s.sentences.emplace_back(
      "Coins chosen by the sender: this study has no credentials, so anybody may send any number of reports.");
  if (const auto* vote = std::get_if<VoteSpec>(&spec)) {
    const bool is_grr = vote->oracle == static_cast<std::uint32_t>(VoteOracle::grr);
    const SupportOdds odds = response_odds(channel(*vote));
    const double other = is_grr ? odds.other : 1.0 / channel(*vote).outcomes;
    s.sentences.push_back(fmt::format("One false report weighs as much for one feature as {:.3g} honest ones{}.",
                                      (1 - other) / (odds.own - other),
                                      is_grr ? "" : ", and a chosen pseudonym lets it push several features at once"));
  }
  return s;
}

}  // namespace sotto::analyzer
