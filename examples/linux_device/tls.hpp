// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <memory>
#include <string>
#include <string_view>

// TLS on a connected socket, where the agent was built with OpenSSL. The server must prove its name by a certificate that the
// system trusts; SSL_CERT_FILE names another file of such certificates.

class Tls {
 public:
  /// Throws Unusable where the other side is not who it should be, and where the agent was built without OpenSSL.
  Tls(int file, const std::string& host);
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;
  ~Tls();

  /// False where the other side is gone; why is said on stderr.
  [[nodiscard]] bool is_ready() const noexcept { return ready_; }
  [[nodiscard]] bool send(std::string_view text) const;
  /// What came, of at most `size` bytes; 0 or less at the end.
  [[nodiscard]] long receive(char* out, int size) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  bool ready_ = false;
};
