// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "failure_limit.hpp"
#include "message.hpp"
#include "sotto/sha256.hpp"

// Who may do what: the operator's token, sessions of the page, and their protection against foreign forms.
namespace sotto::analyzer {

class Rights {
 public:
  /// `token_hash` is the SHA-256 of the operator's token.
  Rights(const Digest& token_hash, bool is_encrypted) : token_hash_(token_hash), is_encrypted_(is_encrypted) {}

  /// How a request proved to be the operator's. A form's value of "csrf" is compared where a cookie proves it.
  enum class Proof : std::uint8_t { none, bearer, cookie };
  [[nodiscard]] Proof proof(const Request& request) const;
  /// Whether the operator may change something by this request: by a bearer token, or by a cookie together with the
  /// session's secret in a header or form.
  [[nodiscard]] bool may_change(const Request& request, std::string_view form_secret) const;
  /// The secret of the session of this cookie; empty if there is none.
  [[nodiscard]] std::string form_secret(const Request& request) const;

  /// The Set-Cookie value of a new session; empty if the token is wrong.
  [[nodiscard]] std::optional<std::string> login(std::string_view token);
  void logout(const Request& request);
  [[nodiscard]] std::string ended_cookie() const;
  /// Counts a failed proof. False where there were too many in this second.
  [[nodiscard]] bool note_failure() { return failures_.note(); }

 private:
  struct Session {
    std::string form_secret;
    std::chrono::steady_clock::time_point until;
  };
  [[nodiscard]] bool is_token(std::string_view token) const;
  [[nodiscard]] const Session* session(const Request& request) const;

  Digest token_hash_;
  bool is_encrypted_;
  mutable std::mutex lock_;                  // guards what follows
  std::map<std::string, Session> sessions_;  // by the hash of the cookie
  FailureLimit failures_;
};

}  // namespace sotto::analyzer
