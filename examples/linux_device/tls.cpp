// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "tls.hpp"

#include "readings.hpp"

#ifdef SOTTO_WITH_OPENSSL

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <cstdio>

struct Tls::State {
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context{SSL_CTX_new(TLS_client_method()), SSL_CTX_free};
  std::unique_ptr<SSL, void (*)(SSL*)> line{nullptr, SSL_free};
};

Tls::Tls(int file, const std::string& host) : state_(std::make_unique<State>()) {
  SSL_CTX* const context = state_->context.get();
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_default_verify_paths(context);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  state_->line.reset(SSL_new(context));
  SSL* const line = state_->line.get();
  in6_addr some{};
  const bool is_number =
      ::inet_pton(AF_INET, host.c_str(), &some) == 1 || ::inet_pton(AF_INET6, host.c_str(), &some) == 1;
  const bool is_named =
      is_number ? X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(line), host.c_str()) == 1
                : SSL_set1_host(line, host.c_str()) == 1 && SSL_set_tlsext_host_name(line, host.c_str()) == 1;
  if (!is_named) throw Unusable("TLS with " + host + ": the name cannot be checked");
  SSL_set_fd(line, file);
  ready_ = SSL_connect(line) == 1;
  if (ready_) return;
  // Whom it does not trust it will not trust in a minute either; whoever is gone may come back.
  const long wrong = SSL_get_verify_result(line);
  if (wrong != X509_V_OK) throw Unusable("TLS with " + host + ": " + X509_verify_cert_error_string(wrong));
  char text[256] = "the connection was closed";
  if (const unsigned long code = ERR_get_error(); code != 0) ERR_error_string_n(code, text, sizeof text);
  std::fprintf(stderr, "sotto-device: TLS with %s: %s\n", host.c_str(), text);
}

Tls::~Tls() {
  if (ready_) SSL_shutdown(state_->line.get());
}

bool Tls::send(std::string_view text) const {
  return SSL_write(state_->line.get(), text.data(), static_cast<int>(text.size())) == static_cast<int>(text.size());
}

long Tls::receive(char* out, int size) const { return SSL_read(state_->line.get(), out, size); }

#else

struct Tls::State {};
Tls::Tls(int, const std::string& host) {
  throw Unusable(
      host + ": this agent was built without OpenSSL, and speaks http:// alone; --send takes a program that has TLS");
}
Tls::~Tls() = default;
bool Tls::send(std::string_view) const { return false; }
long Tls::receive(char*, int) const { return 0; }

#endif
