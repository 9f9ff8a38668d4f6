// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <memory>

#include <fmt/format.h>

#include "files.hpp"
#include "listen_address.hpp"
#include "owner_only.hpp"
#include "say.hpp"
#include "served.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/serve/issuer.hpp"
#include "study_directory.hpp"
#include "talk.hpp"
#include "ticket_key.hpp"
#include "verb.hpp"

// `sotto issue`: signs tickets of enrolment for devices that another party collects from.
namespace sotto::cli {
namespace {

using analyzer::Done;
using analyzer::Error;
using analyzer::Result;

struct IssueOptions {
  std::string directory, data, key, listen = "127.0.0.1:8081", certificate, tls_key;
};

/// A ticket is signed unseen, and says which study it is for: a key of two studies would let tokens of one enrol in the
/// other. The first use writes the study beside the key.
Result<Done> bind_to_study(const std::string& key, const std::string& digest) {
  const std::string path = key + ".study";
  const Result<bool> there = analyzer::is_there(path);
  if (!there) return there.error();
  if (!there.value()) return write_file(path, digest + "\n");
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  if (text.value() == digest + "\n") return Done{};
  return Error{"issue.other_study", "this key signs the tickets of another study", path,
               "draw a key for each study: sotto keygen --tickets"};
}

int issue(const IssueOptions& o) {
  const auto stop = [](const Error& error) {
    return refuse(error, false, error.code == "usage" ? usage : error.code.starts_with("io.") ? input_output : refused);
  };
  if (o.certificate.empty() != o.tls_key.empty())
    return stop({"usage", "--tls-cert and --tls-key go together", "", "name both, or none"});
  const auto where = read_listen(o.listen);
  if (!where) return stop(where.error());
  const Result<StudyDirectory> directory = open_study_directory(o.directory);
  if (!directory) return stop(directory.error());
  if (!directory.value().study || !directory.value().study->terms.tickets) {
    return stop({"issue.no_tickets", "devices of this study do not enrol with tickets", o.directory,
                 "name the key's fingerprint in the study: [study] tickets = \"...\""});
  }
  const Result<analyzer::TicketKey> key = load_ticket_key(o.key);
  if (!key) return stop(key.error());
  if (const auto own = is_key_of(key.value().check(), *directory.value().study, o.key); !own) return stop(own.error());
  const Result<Manifest> manifest = analyzer::read_manifest(directory.value().manifest, o.directory + "/manifest.bin");
  if (!manifest) return stop(manifest.error());
  const Digest study = manifest_digest(manifest.value());
  if (const auto bound = bind_to_study(o.key, analyzer::hex_text(study)); !bound) return stop(bound.error());
  const OwnerOnly owner_only;
  const Result<std::filesystem::path> data = make_data_directory(o.data, study);
  if (!data) return stop(data.error());
  const Result<DirectoryLock> lock = DirectoryLock::take(data.value());
  if (!lock) return stop(lock.error());
  outlive_full_disks();
  analyzer::ServerOptions options;
  options.address = where.value().first;
  options.port = where.value().second;
  options.certificate = o.certificate;
  options.key = o.tls_key;
  options.ready = [](const std::string& address) { complain(fmt::format("listening on {}\n", address)); };
  options.log = [](std::string_view line) {
    say("{}\n", line);
    (void)std::fflush(stdout);
  };
  const auto served = analyzer::issue_tickets(study, data.value() / analyzer::k_issuer_file_name, key.value(), options);
  return served ? static_cast<int>(done) : stop(served.error());
}

}  // namespace

void add_issue(CLI::App& app, Action& action) {
  auto o = std::make_shared<IssueOptions>();
  CLI::App* verb = app.add_subcommand("issue", "sign tickets with which devices enrol at another party's server");
  verb->add_option("DIR", o->directory, "directory of a compiled study that names tickets; no master.key belongs here")
      ->required();
  verb->add_option("--data", o->data, "the --data of sotto tokens: hashes of tokens, and what each was spent for")
      ->required();
  verb->add_option("--key", o->key, "the secret key of sotto keygen --tickets, of this study alone")->required();
  verb->add_option("--listen", o->listen, "ADDRESS:PORT; port 0 takes a free one")->capture_default_str();
  verb->add_option("--tls-cert", o->certificate, "certificate chain in PEM; needed where others reach the address");
  verb->add_option("--tls-key", o->tls_key, "its key in PEM");
  verb->footer(
      "Whoever runs this knows the devices and signs one blinded ticket for each token; whoever runs sotto serve gives "
      "a credential\n"
      "for each ticket and gets the reports. Neither can link a report to a device, and both together only by times "
      "and "
      "addresses:\n"
      "docs/OPERATING.md.");
  verb->callback([o, &action] { action = [o] { return issue(*o); }; });
}

}  // namespace sotto::cli
