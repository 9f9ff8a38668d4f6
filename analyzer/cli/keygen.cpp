// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <memory>

#include <fmt/format.h>

#include "say.hpp"
#include "signing_key.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "talk.hpp"
#include "ticket_key.hpp"
#include "verb.hpp"

// `sotto keygen`: draws a signing key.
namespace sotto::cli {
namespace {

struct KeygenOptions {
  std::string out;
  bool json = false, tickets = false;
};

int keygen_tickets(const KeygenOptions& o) {
  const analyzer::Result<analyzer::TicketCheck> made = make_ticket_key(o.out);
  if (!made) return refuse(made.error(), o.json, made.error().code.starts_with("io.") ? input_output : refused);
  const std::string digits = analyzer::hex_text(made.value().fingerprint());
  if (o.json) {
    print_json({{"fingerprint", digits}, {"secret_file", o.out}, {"public_file", o.out + ".pub"}});
    return done;
  }
  say("tickets     {}\n", digits);
  say("files       {}: the secret, for the issuer alone; {}.pub: for the collector, as tickets.pub\n", o.out, o.out);
  say("Name the fingerprint in one study, [study] tickets = \"...\", before it is compiled.\n");
  return done;
}

int keygen(const KeygenOptions& o) {
  if (o.tickets) return keygen_tickets(o);
  const analyzer::Result<analyzer::IssuerKey> made = make_signing_key(o.out);
  if (!made) return refuse(made.error(), o.json, made.error().code.starts_with("io.") ? input_output : refused);
  const std::string digits = analyzer::hex_text(made.value());
  if (o.json) {
    print_json({{"public_key", digits}, {"secret_file", o.out}, {"public_file", o.out + ".pub"}});
    return done;
  }
  say("public      {}\n", digits);
  say("files       {}: the secret, for its owner alone; {}.pub: for firmware and whoever checks\n", o.out, o.out);
  say("Devices that carry the public key answer what this secret signs. A lost secret cannot be replaced on them.\n");
  return done;
}

}  // namespace

void add_keygen(CLI::App& app, Action& action) {
  auto o = std::make_shared<KeygenOptions>();
  CLI::App* verb = app.add_subcommand("keygen", "draw a key that signs studies, or tickets of enrolment");
  verb->add_option("--out", o->out, "file for the secret key; the public one goes to FILE.pub")->required();
  verb->add_flag("--tickets", o->tickets,
                 "draw the key of an issuer who signs tickets of enrolment (sotto issue): RSA of 3072 bits");
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->footer(
      "The key is Ed25519. Existing files are never replaced. The public key is 64 hexadecimal digits, 32 bytes.");
  verb->callback([o, &action] { action = [o] { return keygen(*o); }; });
}

}  // namespace sotto::cli
