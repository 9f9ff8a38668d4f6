// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "shared_log.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "estimate.hpp"
#include "files.hpp"
#include "owner_only.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/data/design_file.hpp"
#include "sotto/analyzer/log/sqlite_log.hpp"
#include "study_directory.hpp"
#ifdef SOTTO_HAS_JETSTREAM
#include "sotto/analyzer/log/jetstream/jetstream_log.hpp"
#endif

namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Result;

constexpr std::string_view k_sqlite = "sqlite:", k_nats = "nats://", k_tls = "tls://";
constexpr std::uint32_t k_partitions_max = 1024;

#ifdef SOTTO_HAS_JETSTREAM
/// Why a broker is not spoken to at this address, behind others.
std::optional<Error> unsafe_address(const std::string& server, const std::vector<std::string>& others) {
  if (server.find('@') != std::string::npos)
    return Error{"usage", "an address has a user, which other users of this machine can read", "",
                 "write USER:PASSWORD into a file and name it with --log-user"};
  const bool is_plain = server.starts_with(k_nats);
  const std::string host = server.substr(is_plain ? k_nats.size() : k_tls.size());
  const bool is_here = host.starts_with("127.") || host.starts_with("localhost:") || host.starts_with("[::1]");
  if (is_plain && !is_here)
    return Error{"log.needs_tls", "reports would cross a network in plain text", server,
                 "write tls:// and --log-ca CA.pem"};
  if (!others.empty() && others.front().starts_with(k_nats) != is_plain)
    return Error{"usage", "some addresses have TLS and others do not", server, "write tls:// for all brokers"};
  return {};
}

Result<analyzer::JetStreamOptions> jetstream_options(const LogOptions& options) {
  analyzer::JetStreamOptions out{{}, options.replicas, {}, options.authority};
  for (std::size_t at = 0; at < options.log.size();) {
    const std::size_t end = std::min(options.log.find(',', at), options.log.size());
    const std::string server = options.log.substr(at, end - at);
    if (!server.starts_with(k_nats) && !server.starts_with(k_tls))
      return Error{"usage", "--log is a list of brokers", server, "write nats://HOST:PORT,nats://HOST:PORT"};
    if (const auto unsafe = unsafe_address(server, out.servers)) return *unsafe;
    out.servers.push_back(server);
    at = end + 1;
  }
  if (options.user_file.empty()) return out;
  const Result<std::string> text = read_file(options.user_file);
  if (!text) return text.error();
  out.credentials = text.value().substr(0, text.value().find_first_of("\r\n"));
  return out;
}
#endif

}  // namespace

void add_log_options(CLI::App& verb, LogOptions& options) {
  verb.add_option("--log", options.log, "the log of a cluster: nats://HOST:PORT,... or sqlite:FILE");
  verb.add_option("--run", options.run, "name of the run in the log; a name is never used twice")
      ->capture_default_str()
      ->check([](const std::string& text) {
        const bool is_name = !text.empty() && text.size() <= 32 &&
                             std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0; });
        return is_name ? std::string() : std::string("a run's name has up to 32 letters and digits");
      });
  verb.add_option("--log-user", options.user_file, "file with USER:PASSWORD for the brokers");
  verb.add_option("--log-ca", options.authority, "certificates that the brokers' are signed by; with tls://");
}

void add_log_shape_options(CLI::App& verb, LogOptions& options) {
  verb.add_option("--partitions", options.partitions, "partitions of the log, fixed when the run begins")
      ->capture_default_str()
      ->check(CLI::Range(1u, k_partitions_max));
  verb.add_option("--replicas", options.replicas, "brokers that keep each partition: 1, 3 or 5")
      ->capture_default_str()
      ->check(CLI::IsMember({1, 3, 5}));
  verb.add_option("--partition-megabytes", options.partition_megabytes, "a partition is full at so many")
      ->capture_default_str()
      ->check(CLI::Range(1u, 1'000'000u));
}

analyzer::LogShape shape_of(const LogOptions& options) {
  return {options.partitions, options.replicas, options.partition_megabytes << 20};
}

analyzer::LogRun run_of(const LogOptions& options, const Digest& study) {
  return {analyzer::hex_text(study).substr(0, 16), options.run};
}

Result<std::unique_ptr<analyzer::SharedLog>> open_shared_log(const LogOptions& options, const Digest& study) {
  if (options.log.starts_with(k_sqlite)) return analyzer::open_sqlite_log(options.log.substr(k_sqlite.size()));
#ifdef SOTTO_HAS_JETSTREAM
  const Result<analyzer::JetStreamOptions> brokers = jetstream_options(options);
  if (!brokers) return brokers.error();
  return analyzer::open_jetstream_log(brokers.value(), run_of(options, study));
#else
  (void)study;
  return Error{"log.not_built", "this program was built without the log on JetStream", options.log,
               "install libnats-dev and build it again, or use --log sqlite:FILE on one machine"};
#endif
}

Result<analyzer::ServedStudy> open_gateway_study(const std::string& directory, const std::filesystem::path& data,
                                                 const LogOptions& options) {
  Result<StudyDirectory> opened = open_study_directory(directory);
  if (!opened) return opened.error();
  StudyDirectory& own = opened.value();
  if (!own.study || !own.study->regression) {
    return Error{"serve.no_protocol", "only a study with [protocol] has rounds that a cluster can run", directory,
                 "collect its reports on one machine"};
  }
  const std::span<const std::uint8_t> body = body_of(own.manifest);
  if (body.size() != own.manifest.size()) {
    return Error{"serve.signed_cluster", "rounds of a signed study are signed where its key is, not on a cluster",
                 directory, "serve it on one machine, with --key"};
  }
  const Result<Manifest> manifest = analyzer::read_manifest(own.manifest, directory + "/manifest.bin");
  if (!manifest) return manifest.error();
  const Digest digest = manifest_digest(manifest.value());
  analyzer::ServedStudy out{
      std::move(*own.study), own.manifest, {}, nullptr, fmt::format("sotto estimate {}", own.path.string()), {}, {}};
  if (out.study.regression->protocol->asks_labels) {
    Result<std::unique_ptr<analyzer::DesignFile>> design =
        analyzer::DesignFile::open(own.path / analyzer::k_design_name, digest);
    if (!design) return design.error();
    out.design = std::move(design).value();
  }
  const OwnerOnly owner_only;
  out.data = analyzer::data_directory(data, analyzer::hex_text(digest));
  std::error_code failed;
  std::filesystem::create_directories(out.data, failed);
  if (failed) {
    return Error{"io.cannot_write", "cannot make the directory: " + failed.message(), out.data.string(),
                 "check the directory and its rights"};
  }
  Result<std::unique_ptr<analyzer::SharedLog>> log = open_shared_log(options, digest);
  if (!log) return log.error();
  out.log = analyzer::ServedLog{std::move(log).value(), run_of(options, digest), shape_of(options)};
  return out;
}

}  // namespace sotto::cli
