// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "http_line.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace sotto::cli {
namespace {

constexpr int k_timeout_seconds = 30;
constexpr std::size_t k_reply_max = std::size_t{1} << 24;

/// The number behind a header's name; empty where the header is missing.
std::optional<std::size_t> number_of(std::string_view head, std::string_view name) {
  const std::size_t at = head.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  std::size_t value = 0;
  const char* const begin = head.data() + at + name.size();
  if (std::from_chars(begin, head.data() + head.size(), value).ec != std::errc()) return std::nullopt;
  return value;
}

}  // namespace

analyzer::Result<StudyAddress> read_study_address(const std::string& url) {
  constexpr std::string_view k_scheme = "http://", k_path = "/v1/studies/";
  constexpr std::size_t k_digest_digits = 64;
  const std::size_t slash = url.find('/', std::min(k_scheme.size(), url.size()));
  const std::size_t colon = url.rfind(':', slash);
  const bool is_one = url.starts_with(k_scheme) && slash != std::string::npos && colon > k_scheme.size() &&
                      colon < slash && url.compare(slash, k_path.size(), k_path) == 0 &&
                      url.size() == slash + k_path.size() + k_digest_digits;
  if (!is_one)
    return analyzer::Error{"usage", "this is not the address of a served study", url,
                           "write http://HOST:PORT/v1/studies/ and the 64 digits of the study's digest"};
  return StudyAddress{url.substr(k_scheme.size(), colon - k_scheme.size()), url.substr(colon + 1, slash - colon - 1),
                      url.substr(slash)};
}

HttpLine::HttpLine(HttpLine&& other) noexcept
    : host_(std::move(other.host_)),
      port_(std::move(other.port_)),
      more_(std::move(other.more_)),
      have_(std::move(other.have_)),
      file_(std::exchange(other.file_, -1)) {}

void HttpLine::close() noexcept {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
  have_.clear();
}

bool HttpLine::open() {
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  if (::getaddrinfo(host_.c_str(), port_.c_str(), &wanted, &found) != 0) return false;
  for (const addrinfo* at = found; at != nullptr && file_ < 0; at = at->ai_next) {
    file_ = ::socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
    if (file_ < 0) continue;
    const timeval limit{k_timeout_seconds, 0};
    const int on = 1;
    (void)::setsockopt(file_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    (void)::setsockopt(file_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    (void)::setsockopt(file_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::connect(file_, at->ai_addr, at->ai_addrlen) != 0) close();
  }
  ::freeaddrinfo(found);
  return file_ >= 0;
}

bool HttpLine::send(std::string_view method, std::string_view path, std::string_view body, std::string_view type) {
  if (file_ < 0 && !open()) return false;
  const std::string named = type.empty() ? "" : fmt::format("Content-Type: {}\r\n", type);
  std::string request = fmt::format("{} {} HTTP/1.1\r\nHost: {}:{}\r\n{}{}Content-Length: {}\r\n\r\n", method, path,
                                    host_, port_, named, more_, body.size());
  request += body;
  for (std::size_t at = 0; at < request.size();) {
    const ssize_t sent = ::send(file_, request.data() + at, request.size() - at, MSG_NOSIGNAL);
    if (sent <= 0) {
      close();
      return false;
    }
    at += static_cast<std::size_t>(sent);
  }
  return true;
}

HttpReply HttpLine::receive() {
  constexpr std::string_view k_version = "HTTP/1.1 ";
  while (file_ >= 0 && have_.size() <= k_reply_max) {
    if (const std::size_t end = have_.find("\r\n\r\n"); end != std::string::npos && have_.starts_with(k_version)) {
      const std::string_view head = std::string_view(have_).substr(0, end + 2);
      const auto status = static_cast<unsigned>(number_of(head, k_version).value_or(0));
      const std::size_t body = number_of(head, "\r\nContent-Length: ").value_or(0), all = end + 4 + body;
      if (have_.size() >= all) {
        HttpReply reply{status, have_.substr(end + 4, body)};
        const bool is_last = head.find("\r\nConnection: close\r\n") != std::string_view::npos;
        have_.erase(0, all);
        if (is_last) close();
        return reply;
      }
    }
    char some[16384];
    const ssize_t got = ::recv(file_, some, sizeof some, 0);
    if (got <= 0) break;
    have_.append(some, static_cast<std::size_t>(got));
  }
  close();
  return {};
}

HttpReply HttpLine::ask(std::string_view method, std::string_view path, std::string_view body, std::string_view type) {
  return send(method, path, body, type) ? receive() : HttpReply{};
}

}  // namespace sotto::cli
