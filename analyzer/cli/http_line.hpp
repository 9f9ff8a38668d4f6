// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A kept connection to `sotto serve`, for the verbs that stand where devices stand: http:// alone.

#include <cstdint>
#include <string>
#include <string_view>

#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// Where a study is served: http://HOST:PORT/v1/studies/DIGEST, as sotto-device takes it.
struct StudyAddress {
  std::string host, port;
  std::string path;  ///< without a slash at its end
  [[nodiscard]] std::string digest() const { return path.substr(path.rfind('/') + 1); }
};
/// Refuses   usage: it is not of this form.
[[nodiscard]] analyzer::Result<StudyAddress> read_study_address(const std::string& url);

struct HttpReply {
  unsigned status = 0;  ///< 0: there is no connection
  std::string body;
};

/// One connection, opened at the first request and again after it broke. For one thread.
class HttpLine {
 public:
  HttpLine(std::string host, std::string port) : host_(std::move(host)), port_(std::move(port)) {}
  HttpLine(const HttpLine&) = delete;
  HttpLine& operator=(const HttpLine&) = delete;
  HttpLine(HttpLine&& other) noexcept;
  ~HttpLine() { close(); }

  /// From now on requests are the operator's.
  void authorize(std::string_view token) { more_ = "Authorization: Bearer " + std::string(token) + "\r\n"; }
  /// Sends a request. Bytes that are no text are octets, and `type` is empty for them.
  [[nodiscard]] bool send(std::string_view method, std::string_view path, std::string_view body,
                          std::string_view type = {});
  /// The reply to the request that was sent first among those without one.
  [[nodiscard]] HttpReply receive();
  [[nodiscard]] HttpReply ask(std::string_view method, std::string_view path, std::string_view body = {},
                              std::string_view type = {});

 private:
  [[nodiscard]] bool open();
  void close() noexcept;

  std::string host_, port_;
  std::string more_;  // headers of every request
  std::string have_;  // bytes that came behind a reply
  int file_ = -1;
};

}  // namespace sotto::cli
