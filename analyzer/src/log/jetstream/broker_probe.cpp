// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "broker_probe.hpp"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <memory>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace sotto::analyzer {
namespace {

constexpr int k_probe_milliseconds = 2000;
constexpr unsigned k_major = 2, k_minor_min = 9, k_minor_syncs = 10;

struct Version {
  unsigned major = 0, minor = 0;
};

Version version_of(const std::string& text) {
  Version out;
  const char* const end = text.data() + text.size();
  const auto [dot, status] = std::from_chars(text.data(), end, out.major);
  if (status == std::errc() && dot != end) (void)std::from_chars(dot + 1, end, out.minor);
  return out;
}

/// A connection that closes itself.
class ProbeSocket {
 public:
  explicit ProbeSocket(const addrinfo& to)
      : file_(::socket(to.ai_family, to.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, to.ai_protocol)) {
    if (file_ < 0) return;
    const bool begun = ::connect(file_, to.ai_addr, to.ai_addrlen) == 0 || errno == EINPROGRESS;
    int failed = 0;
    socklen_t size = sizeof failed;
    is_open_ =
        begun && waits_for(POLLOUT) && ::getsockopt(file_, SOL_SOCKET, SO_ERROR, &failed, &size) == 0 && failed == 0;
  }
  ProbeSocket(const ProbeSocket&) = delete;
  ProbeSocket& operator=(const ProbeSocket&) = delete;
  ~ProbeSocket() {
    if (file_ >= 0) ::close(file_);
  }
  /// The first line; empty if none comes.
  [[nodiscard]] std::string line() const {
    std::string text;
    while (is_open_ && text.find('\n') == std::string::npos && text.size() < 65536 && waits_for(POLLIN)) {
      char some[4096];
      const ssize_t got = ::recv(file_, some, sizeof some, 0);
      if (got <= 0) break;
      text.append(some, static_cast<std::size_t>(got));
    }
    const std::size_t end = text.find('\n');
    return end == std::string::npos ? std::string() : text.substr(0, end);
  }

 private:
  [[nodiscard]] bool waits_for(short what) const {
    pollfd one{file_, what, 0};
    return ::poll(&one, 1, k_probe_milliseconds) == 1;
  }
  int file_;
  bool is_open_ = false;
};

Broker probed(const std::string& server) {
  Broker out;
  const std::size_t scheme = server.find("://");
  out.address = scheme == std::string::npos ? server : server.substr(scheme + 3);
  const std::size_t at = out.address.rfind('@');
  if (at != std::string::npos) out.address = out.address.substr(at + 1);
  const std::size_t colon = out.address.rfind(':');
  const std::string host = out.address.substr(0, colon);
  const std::string port = colon == std::string::npos ? "4222" : out.address.substr(colon + 1);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) return out;
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned(found, &::freeaddrinfo);
  const std::string line = ProbeSocket(*found).line();
  constexpr std::string_view k_info = "INFO ";
  if (!line.starts_with(k_info)) return out;
  const nlohmann::json info = nlohmann::json::parse(line.substr(k_info.size()), nullptr, false);
  if (!info.is_object()) return out;
  const auto text = [&info](const char* name) {
    const auto own = info.find(name);
    return own != info.end() && own->is_string() ? own->get<std::string>() : std::string();
  };
  out.is_reached = true;
  out.version = text("version");
  out.name = text("server_name");
  const auto jetstream = info.find("jetstream"), most = info.find("max_payload");
  out.has_jetstream = jetstream != info.end() && jetstream->is_boolean() && jetstream->get<bool>();
  if (most != info.end() && most->is_number_unsigned()) out.max_payload = most->get<std::uint64_t>();
  return out;
}

}  // namespace

std::vector<Broker> probe_brokers(const std::vector<std::string>& servers) {
  std::vector<Broker> out;
  out.reserve(servers.size());
  for (const std::string& server : servers) out.push_back(probed(server));
  return out;
}

Result<Done> check_brokers(const std::vector<Broker>& brokers) {
  std::string silent;
  bool is_any_reached = false;
  for (const Broker& broker : brokers) {
    is_any_reached |= broker.is_reached;
    if (!broker.is_reached) {
      silent += (silent.empty() ? "" : ", ") + broker.address;
      continue;
    }
    const Version version = version_of(broker.version);
    if (version.major != k_major || version.minor < k_minor_min) {
      return Error{"log.other_version", "this broker is of a version that the log was not built for",
                   fmt::format("{}: {}", broker.address, broker.version),
                   fmt::format("run nats-server {}.{}.10 or a later one of {}.x", k_major, k_minor_min, k_major)};
    }
    if (!broker.has_jetstream) {
      return Error{"log.no_jetstream", "this broker runs without JetStream, so it stores nothing", broker.address,
                   "add jetstream { store_dir: ... } to its configuration (docs/FLEET.md)"};
    }
    if (broker.max_payload < k_log_entry_max) {
      return Error{"log.other_settings", "this broker takes smaller messages than the log's entries",
                   fmt::format("{}: max_payload {}", broker.address, broker.max_payload), "set max_payload: 128KB"};
    }
  }
  if (is_any_reached) return Done{};
  return Error{"log.unreachable", "none of these brokers answers", silent,
               "start them, or name the addresses where they listen in --log"};
}

std::string broker_warning(const std::vector<Broker>& brokers) {
  bool is_old = false, is_new = false;
  for (const Broker& broker : brokers) {
    if (!broker.is_reached) continue;
    const bool syncs = version_of(broker.version).minor >= k_minor_syncs;
    is_old |= !syncs;
    is_new |= syncs;
  }
  if (is_old) {
    return "A broker of this version acknowledges a report before it is synced to its disk: where most brokers lose "
           "power at once, acknowledged reports may be lost. None is ever counted twice. nats-server 2.10.23 or later "
           "with sync_interval: always closes this.";
  }
  if (is_new) {
    return "Brokers of this version acknowledge after the disk only where sync_interval: always is set, which nobody "
           "can see from outside. Versions after 2.9.10 were not run by the tests of this release.";
  }
  return {};
}

}  // namespace sotto::analyzer
