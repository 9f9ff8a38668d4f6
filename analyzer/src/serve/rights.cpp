// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "rights.hpp"

#include <sodium.h>

#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/crypto/random.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::chrono::hours k_session_time(12);
constexpr std::size_t k_sessions_max = 256;
constexpr std::string_view k_cookie_name = "sotto_session=", k_bearer = "Bearer ";

Digest hash_of(std::string_view text) {
  Digest digest;
  sha256({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, digest);
  return digest;
}

/// Compares in a time that does not depend on where they differ.
bool same_text(std::string_view a, std::string_view b) {
  const Digest x = hash_of(a), y = hash_of(b);
  return sodium_memcmp(x.data(), y.data(), x.size()) == 0;
}

std::string random_text() {
  std::uint8_t bytes[32];
  random_bytes(bytes);
  return hex_text(bytes);
}

/// The value of the session's cookie among others.
std::string_view cookie_of(std::string_view header) {
  for (std::size_t at = 0; at < header.size();) {
    const std::size_t end = std::min(header.find(';', at), header.size());
    std::string_view pair = header.substr(at, end - at);
    while (!pair.empty() && pair.front() == ' ') pair.remove_prefix(1);
    if (pair.starts_with(k_cookie_name)) return pair.substr(k_cookie_name.size());
    at = end + 1;
  }
  return {};
}

}  // namespace

bool Rights::is_token(std::string_view token) const {
  const Digest hash = hash_of(token);
  return sodium_memcmp(hash.data(), token_hash_.data(), hash.size()) == 0;
}

// A cookie is found by its hash, so that the time of the search tells nothing about cookies.
const Rights::Session* Rights::session(const Request& request) const {
  const std::string_view cookie = cookie_of(request.cookie);
  if (cookie.empty()) return nullptr;
  const auto at = sessions_.find(hex_text(hash_of(cookie)));
  if (at == sessions_.end() || at->second.until < std::chrono::steady_clock::now()) return nullptr;
  return &at->second;
}

Rights::Proof Rights::proof(const Request& request) const {
  if (request.authorization.starts_with(k_bearer))
    return is_token(std::string_view(request.authorization).substr(k_bearer.size())) ? Proof::bearer : Proof::none;
  const std::lock_guard hold(lock_);
  return session(request) == nullptr ? Proof::none : Proof::cookie;
}

bool Rights::may_change(const Request& request, std::string_view form_secret) const {
  const Proof proven = proof(request);
  if (proven != Proof::cookie) return proven == Proof::bearer;
  const std::lock_guard hold(lock_);
  const Session* const own = session(request);
  if (own == nullptr) return false;
  return same_text(own->form_secret, request.csrf.empty() ? form_secret : std::string_view(request.csrf));
}

std::string Rights::form_secret(const Request& request) const {
  const std::lock_guard hold(lock_);
  const Session* const own = session(request);
  return own == nullptr ? "" : own->form_secret;
}

std::optional<std::string> Rights::login(std::string_view token) {
  if (!is_token(token)) return std::nullopt;
  const std::lock_guard hold(lock_);
  const auto now = std::chrono::steady_clock::now();
  std::erase_if(sessions_, [now](const auto& entry) { return entry.second.until < now; });
  if (sessions_.size() >= k_sessions_max) sessions_.clear();
  const std::string cookie = random_text();
  sessions_[hex_text(hash_of(cookie))] = {random_text(), now + k_session_time};
  return std::string(k_cookie_name) + cookie + "; HttpOnly; SameSite=Strict; Path=/; Max-Age=43200" +
         (is_encrypted_ ? "; Secure" : "");
}

void Rights::logout(const Request& request) {
  const std::lock_guard hold(lock_);
  sessions_.erase(hex_text(hash_of(cookie_of(request.cookie))));
}

std::string Rights::ended_cookie() const {
  return std::string(k_cookie_name) + "; HttpOnly; SameSite=Strict; Path=/; Max-Age=0";
}

}  // namespace sotto::analyzer
