// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <sys/stat.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "files.hpp"
#include "listen_address.hpp"
#include "owner_only.hpp"
#include "say.hpp"
#include "served.hpp"
#include "shared_log.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/analyzer/files/read_whole.hpp"
#include "sotto/analyzer/files/replaced_file.hpp"
#include "sotto/analyzer/plan/study_request.hpp"
#include "sotto/analyzer/serve/server.hpp"
#include "sotto/analyzer/store/run_store.hpp"
#include "study_directory.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto serve`: collects over HTTP.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Result;

constexpr std::uint64_t k_target_max = 1'000'000'000'000, k_deadline_max = std::uint64_t{10} * 365 * 86400;

struct ServeOptions {
  std::vector<std::string> directories;
  std::string listen = "127.0.0.1:8080", data, token_file, certificate, key, signing_key;
  std::string mqtt, mqtt_authority, mqtt_user;
  std::uint64_t target = 0, deadline = 0;
  LogOptions log;
};

/// The hash of the operator's token. A missing file is made, with a token that was drawn.
Result<Digest> read_token(const std::string& path) {
  constexpr std::size_t k_token_min = 32;
  constexpr std::string_view k_hash_word = "sha256:";
  const Result<bool> there = analyzer::is_there(path);
  if (!there) return there.error();
  if (!there.value()) {
    std::uint8_t bytes[32];
    analyzer::random_bytes(bytes);
    const auto written = analyzer::replace_file(path, analyzer::hex_text(bytes) + "\n", analyzer::Readers::owner);
    if (!written) return written.error();
  }
  struct stat facts {};
  if (::stat(path.c_str(), &facts) == 0 && (facts.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    complain(fmt::format("sotto: warning: other users may read the operator's token: chmod 600 {}\n", path));
  Result<std::string> text = read_file(path);
  if (!text) return text.error();
  std::string token = std::move(text).value();
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r' || token.back() == ' ')) token.pop_back();
  Digest hash{};
  if (token.starts_with(k_hash_word) && token.size() == k_hash_word.size() + 2 * hash.size()) {
    for (std::size_t i = 0; i < hash.size(); ++i) {
      const char* const at = token.data() + k_hash_word.size() + 2 * i;
      if (std::from_chars(at, at + 2, hash[i], 16).ptr != at + 2)
        return Error{"serve.bad_token", "the hash of the operator's token is damaged", path,
                     "write sha256: and 64 digits"};
    }
    return hash;
  }
  if (token.size() < k_token_min) {
    return Error{"serve.bad_token", fmt::format("the operator's token has less than {} characters", k_token_min), path,
                 "remove the file: a token is drawn"};
  }
  sha256({reinterpret_cast<const std::uint8_t*>(token.data()), token.size()}, hash);
  return hash;
}

/// The first line of a file and the second.
Result<analyzer::Done> read_user(const std::string& path, analyzer::MqttOptions& out) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) == 0 && (facts.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    complain(fmt::format("sotto: warning: other users may read the broker's password: chmod 600 {}\n", path));
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  std::istringstream lines(text.value());
  std::getline(lines, out.user);
  std::getline(lines, out.password);
  if (!out.user.empty()) return analyzer::Done{};
  return Error{"mqtt.user", "the file names no user", path,
               "write the user on its first line, the password on its second"};
}

/// The broker that brings reports, too. The gateway's name there is drawn once and kept beside the runs: under it the broker
/// keeps what came while the gateway was away.
Result<std::optional<analyzer::MqttOptions>> read_broker(const ServeOptions& o) {
  if (o.mqtt.empty()) {
    if (o.mqtt_authority.empty() && o.mqtt_user.empty()) return std::optional<analyzer::MqttOptions>();
    return Error{"usage", "--mqtt-ca and --mqtt-user-file go with --mqtt", "", "name the broker with --mqtt"};
  }
  analyzer::MqttOptions out{o.mqtt, o.mqtt_authority, {}, {}, {}};
  if (!o.mqtt_user.empty()) {
    if (const auto read = read_user(o.mqtt_user, out); !read) return read.error();
  }
  const std::string path = (std::filesystem::path(o.data) / "mqtt_client_id").string();
  const Result<bool> there = analyzer::is_there(path);
  if (!there) return there.error();
  if (!there.value()) {
    std::uint8_t bytes[8];
    analyzer::random_bytes(bytes);
    const auto written = analyzer::replace_file(path, "sotto-" + analyzer::hex_text(bytes) + "\n");
    if (!written) return written.error();
  }
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  out.client_id = text.value().substr(0, text.value().find('\n'));
  if (!out.client_id.empty()) return std::optional(std::move(out));
  return Error{"mqtt.client_id", "the gateway's name at the broker is empty", path, "remove the file: a name is drawn"};
}

int serve(const ServeOptions& o) {
  const auto stop = [](const Error& error) {
    return refuse(error, false, error.code == "usage" ? usage : error.code.starts_with("io.") ? input_output : refused);
  };
  if (o.certificate.empty() != o.key.empty())
    return stop({"usage", "--tls-cert and --tls-key go together", "", "name both, or none"});
  const Result<std::pair<std::string, std::uint16_t>> where = read_listen(o.listen);
  if (!where) return stop(where.error());
  const Result<Digest> hash = read_token(o.token_file);
  if (!hash) return stop(hash.error());
  std::vector<analyzer::ServedStudy> studies;
  std::vector<DirectoryLock> locks;
  std::vector<std::string> warnings;
  for (const std::string& directory : o.directories) {
    Result<analyzer::ServedStudy> study =
        o.log.log.empty() ? open_served_study(directory, o.data) : open_gateway_study(directory, o.data, o.log);
    if (!study) return stop(study.error());
    for (const analyzer::ServedStudy& other : studies) {
      if (other.data == study.value().data)
        return stop({"usage", "two directories hold the same study", directory, "name each study once"});
    }
    if (const auto may_sign = sign_rounds_of(study.value(), directory, o.signing_key); !may_sign)
      return stop(may_sign.error());
    study.value().rule = {o.target, o.deadline};
    std::error_code ignored;
    if (!std::filesystem::exists(study.value().data / analyzer::k_run_store_name, ignored)) {  // nobody was asked yet
      for (const std::string& warning : analyzer::warnings_of(study.value().study))
        warnings.push_back(fmt::format("sotto: warning: {}: {}\n", study.value().study.name, warning));
    }
    Result<DirectoryLock> lock = DirectoryLock::take(study.value().data);
    if (!lock) return stop(lock.error());
    locks.push_back(std::move(lock).value());
    studies.push_back(std::move(study).value());
  }
  outlive_full_disks();
  const OwnerOnly owner_only;  // stores hold reports with their pseudonyms
  Result<std::optional<analyzer::MqttOptions>> broker = read_broker(o);
  if (!broker) return stop(broker.error());
  analyzer::ServerOptions options{
      where.value().first, where.value().second, o.certificate, o.key, hash.value(), std::move(broker).value(), {}, {}};
  options.ready = [&warnings](const std::string& address) {
    complain(fmt::format("listening on {}\n", address));
    for (const std::string& warning : warnings) complain(warning);
  };
  options.log = [](std::string_view line) {
    say("{}\n", line);
    (void)std::fflush(stdout);
  };
  const Result<analyzer::Done> served = analyzer::serve(std::move(studies), options);
  return served ? static_cast<int>(done) : stop(served.error());
}

}  // namespace

void add_serve(CLI::App& app, Action& action) {
  auto o = std::make_shared<ServeOptions>();
  CLI::App* verb = app.add_subcommand("serve", "collect the reports of studies over HTTP and run their rounds");
  verb->add_option("DIR", o->directories, "directories of compiled studies")->required();
  verb->add_option("--listen", o->listen, "ADDRESS:PORT; port 0 takes a free one")->capture_default_str();
  verb->add_option("--data", o->data, "directory of the runs; each study has its own inside")->required();
  verb->add_option("--operator-token-file", o->token_file,
                   "file with the operator's token, or sha256: and its hash; made where it is missing")
      ->required();
  verb->add_option("--tls-cert", o->certificate, "certificate chain in PEM; needed where others reach the address");
  verb->add_option("--tls-key", o->key, "its key in PEM");
  verb->add_option("--key", o->signing_key, "signs the rounds of a signed study (sotto keygen); logged beside it");
  verb->add_option("--mqtt", o->mqtt, "mqtt://HOST:PORT or mqtts://HOST:PORT of a broker that brings reports, too");
  verb->add_option("--mqtt-ca", o->mqtt_authority, "authority of the broker's certificate in PEM; else the system's");
  verb->add_option("--mqtt-user-file", o->mqtt_user,
                   "file with the gateway's user at the broker and, below, its password");
  verb->add_option("--target", o->target, "close a round at this many accepted reports")
      ->check(CLI::Range(std::uint64_t{1}, k_target_max));
  verb->add_option("--deadline", o->deadline, "close a round this many seconds after it was opened")
      ->check(CLI::Range(std::uint64_t{1}, k_deadline_max));
  add_log_options(*verb, o->log);
  add_log_shape_options(*verb, o->log);
  verb->footer(
      "Prints one line, listening on ..., when devices can connect, then a JSON line for each event. Ends with 0 "
      "after\n"
      "SIGTERM, when everything that was acknowledged is on the disk. Without --target and --deadline a round is open\n"
      "until the operator closes it. No round closes below the study's minimum. docs/OPERATING.md has the endpoints.\n"
      "With --log reports go into a log that processes share, and sotto work sums them; docs/FLEET.md.");
  verb->callback([o, &action] { action = [o] { return serve(*o); }; });
}

}  // namespace sotto::cli
