// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "privacy_text.hpp"

#include <fmt/format.h>

#include "say.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"

namespace sotto::cli {

using analyzer::ChannelFacts;
using analyzer::PrivacyStatement;

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t b : bytes) text += fmt::format("{:02x}", b);
  return text;
}

Json privacy_json(const ChannelFacts& facts, const PrivacyStatement& statement) {
  return {{"epsilon", static_cast<double>(facts.declared) / static_cast<double>(k_epsilon_one)},
          {"epsilon_delivered", statement.epsilon},
          {"delta", statement.delta},
          {"epsilon_nano", facts.declared},
          {"epsilon_delivered_nano", facts.delivered},
          {"delta_units", facts.delta},
          {"truth_probability", statement.truth_probability ? Json(*statement.truth_probability) : Json()},
          {"factor", statement.factor},
          {"best_guess", statement.best_guess},
          {"chance_above_epsilon", statement.chance_above},
          {"weak", statement.weak},
          {"statement", statement.sentences}};
}

Json channel_json(const ChannelFacts& facts) {
  Json json = {{"stem", facts.stem}};
  if (facts.channel) {
    json["outcomes"] = facts.channel->outcomes;
    json["inside"] = facts.channel->inside;
    json["threshold"] = facts.channel->threshold;
  }
  if (facts.gaussian) {
    json["radius"] = facts.gaussian->radius;
    json["variance"] = facts.gaussian->variance;
    json["dimension"] = facts.gaussian->dimension;
  }
  json["payload_bits"] = facts.payload_bits;
  json["digest"] = hex(facts.digest);
  return json;
}

void print_privacy(const ChannelFacts& facts, const PrivacyStatement& statement) {
  say("randomizer  {}\n", facts.stem);
  if (facts.channel) {
    say("channel     M = {}, k = {}, T = {}\n", facts.channel->outcomes, facts.channel->inside,
        facts.channel->threshold);
  }
  if (facts.gaussian) {
    say("noise       discrete Gaussian: variance {} in {} numbers of a ball of radius {} (grid steps)\n",
        facts.gaussian->variance, facts.gaussian->dimension, facts.gaussian->radius);
  }
  say("epsilon     declared {} nats, delivered {} nats ({} of {} nano-nats), delta {}\n",
      analyzer::nats_text(facts.declared), analyzer::nats_text(facts.delivered), facts.delivered, facts.declared,
      analyzer::delta_text(facts.delta));
  say("payload     {} bit{}\n", facts.payload_bits, facts.payload_bits == 1 ? "" : "s");
  say("channel id  {}: the same for every study that asks in this way\n", hex(facts.digest));
  say("\nWhat one report tells\n");
  for (const std::string& sentence : statement.sentences) say("  {}\n", sentence);
}

}  // namespace sotto::cli
