// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "http_client.hpp"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "patience.hpp"
#include "readings.hpp"
#include "tls.hpp"

namespace {

constexpr std::size_t k_answer_max = 1 << 20;
constexpr int k_timeout_seconds = 20;

struct Url {
  std::string host, port, path;
  bool is_encrypted = false;
};

Url split(const std::string& url) {
  constexpr std::string_view k_plain = "http://", k_encrypted = "https://";
  Url out;
  out.is_encrypted = url.starts_with(k_encrypted);
  if (!out.is_encrypted && !url.starts_with(k_plain)) throw Unusable(url + ": write http:// or https://");
  const std::size_t begin = out.is_encrypted ? k_encrypted.size() : k_plain.size();
  const std::size_t slash = std::min(url.find('/', begin), url.size());
  out.host = url.substr(begin, slash - begin);
  out.path = slash == url.size() ? "/" : url.substr(slash);
  const std::size_t colon = out.host.rfind(':');
  out.port = colon != std::string::npos ? out.host.substr(colon + 1) : out.is_encrypted ? "443" : "80";
  out.host = out.host.substr(0, colon);
  return out;
}

class Socket {
 public:
  explicit Socket(const Url& url) {
    addrinfo wanted{}, *found = nullptr;
    wanted.ai_socktype = SOCK_STREAM;
    if (::getaddrinfo(url.host.c_str(), url.port.c_str(), &wanted, &found) != 0) return;
    for (const addrinfo* at = found; at != nullptr && file_ < 0; at = at->ai_next) {
      file_ = ::socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
      const timeval limit{k_timeout_seconds, 0};
      ::setsockopt(file_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
      ::setsockopt(file_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
      if (file_ >= 0 && ::connect(file_, at->ai_addr, at->ai_addrlen) != 0) {
        ::close(file_);
        file_ = -1;
      }
    }
    ::freeaddrinfo(found);
    if (file_ >= 0 && url.is_encrypted) tls_.emplace(file_, url.host);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() {
    tls_.reset();
    if (file_ >= 0) ::close(file_);
  }

  bool send(std::string_view text) const {
    if (tls_) return tls_->is_ready() && tls_->send(text);
    while (file_ >= 0 && !text.empty()) {
      const ssize_t sent = ::send(file_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return file_ >= 0;
  }
  std::string receive() const {
    std::string all;
    char some[4096];
    for (;;) {
      const ssize_t got = tls_ ? tls_->receive(some, sizeof some) : ::recv(file_, some, sizeof some, 0);
      if (got <= 0 || all.size() > k_answer_max) return all;
      all.append(some, static_cast<std::size_t>(got));
    }
  }

 private:
  int file_ = -1;
  std::optional<Tls> tls_;
};

/// The value of a header; the server writes names as they are asked for here.
std::string header(const std::string& head, const std::string& name) {
  const std::size_t at = head.find("\r\n" + name + ": ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + name.size() + 4;
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

}  // namespace

HttpAnswer http_ask(const std::string& method, const std::string& url, const std::string& type,
                    const std::string& body) {
  const Url parts = split(url);
  const Socket socket(parts);
  const std::string request = method + " " + parts.path + " HTTP/1.1\r\nHost: " + parts.host +
                              "\r\nConnection: close\r\n" + (type.empty() ? "" : "Content-Type: " + type + "\r\n") +
                              "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  if (!socket.send(request)) return {};
  const std::string got = socket.receive();
  const std::size_t end = got.find("\r\n\r\n");
  if (!got.starts_with("HTTP/1.1 ") || end == std::string::npos) return {};
  const std::string head = got.substr(0, end + 2), length = header(head, "Content-Length");
  HttpAnswer answer{std::atoi(got.c_str() + 9), std::atoi(header(head, "Retry-After").c_str()), got.substr(end + 4)};
  if (!length.empty() && std::strtoull(length.c_str(), nullptr, 10) != answer.body.size()) return {};  // cut off
  return answer;
}

HttpAnswer http_insist(const std::string& method, const std::string& url, const std::string& type,
                       const std::string& body, int tries) {
  Patience patience(tries);
  for (;;) {
    HttpAnswer answer = http_ask(method, url, type, body);
    if (answer.status != 0 && answer.status != 429 && answer.status < 500) return answer;
    if (!patience.pause(answer.wait)) return answer;
  }
}
