// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
// The encoding of RSA-PSS alone, which blinding needs, exists in the older functions of OpenSSL.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "tickets.hpp"

#ifdef SOTTO_WITH_OPENSSL

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <random>

#include "from_server.hpp"
#include "http_client.hpp"

namespace fs = std::filesystem;

namespace {

// RSABSSA-SHA384-PSS-Randomized of RFC 9474, with keys of 3072 bits.
constexpr int k_tries = 6, k_bits = 3072, k_bytes = k_bits / 8, k_salt_bytes = 48, k_ticket_bytes = 32;
constexpr std::string_view k_label = "sotto-ticket-1";

using Rsa = std::unique_ptr<RSA, void (*)(RSA*)>;
using Number = std::unique_ptr<BIGNUM, void (*)(BIGNUM*)>;

void must(bool done, const char* what) {
  if (!done) throw Unusable(std::string("a ticket: ") + what);
}

Number number() { return {BN_new(), BN_clear_free}; }
Number number_of(const Bytes& bytes) {
  return {BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr), BN_clear_free};
}
Bytes bytes_of(const Number& n) {
  Bytes out(k_bytes);
  must(BN_bn2binpad(n.get(), out.data(), k_bytes) == k_bytes, "a number is too large");
  return out;
}

std::string hex_of(const Bytes& bytes) {
  std::string out;
  for (const std::uint8_t b : bytes) {
    out += "0123456789abcdef"[b >> 4];
    out += "0123456789abcdef"[b & 15];
  }
  return out;
}

Bytes from_hex(const std::string& text) {
  Bytes out(text.size() / 2);
  for (std::size_t i = 0; i < out.size(); ++i)
    must(std::sscanf(text.c_str() + 2 * i, "%2hhx", &out[i]) == 1, "a file of it is damaged");  // NOLINT(cert-err34-c)
  return out;
}

std::string answer_of(const std::string& method, const std::string& url, const std::string& body, const char* field) {
  const HttpAnswer answer = http_insist(method, url, body.empty() ? "" : "application/json", body, k_tries);
  if (answer.status != 200)
    throw Unusable(url + ": status " + std::to_string(answer.status) + ", " + json_text(answer.body, "what"));
  return *field == '\0' ? answer.body : json_text(answer.body, field);
}

/// The issuer's public key. Both parties must name the same one: a key of this device alone would be its name.
Rsa public_key(const AgentOptions& options) {
  const std::string pem = answer_of("GET", options.server + "/ticket-key", "", "");
  if (answer_of("GET", options.tickets + "/ticket-key", "", "") != pem)
    throw Unusable(options.tickets + ": the issuer and the server name different keys; neither is used");
  const std::unique_ptr<BIO, int (*)(BIO*)> bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), BIO_free);
  Rsa key(PEM_read_bio_RSA_PUBKEY(bio.get(), nullptr, nullptr, nullptr), RSA_free);
  must(key && RSA_bits(key.get()) == k_bits && BN_is_word(RSA_get0_e(key.get()), RSA_F4) == 1,
       "the issuer's key is no key for tickets");
  return key;
}

/// SHA-384 of the ticket, the label and the study's digest, which is the end of the server's address.
Bytes digest_of(const Bytes& ticket, const AgentOptions& options) {
  const Bytes study = from_hex(options.server.substr(options.server.rfind('/') + 1));
  Bytes text = ticket, out(EVP_MAX_MD_SIZE);
  text.insert(text.end(), k_label.begin(), k_label.end());
  text.insert(text.end(), study.begin(), study.end());
  unsigned size = 0;
  must(EVP_Digest(text.data(), text.size(), out.data(), &size, EVP_sha384(), nullptr) == 1, "no digest");
  out.resize(size);
  return out;
}

/// What is kept until the issuer has signed: the ticket, what takes the blinding off again, and what the issuer sees.
struct Blinded {
  Bytes ticket, inverse, blinded;
};

Blinded blind(RSA* key, const AgentOptions& options) {
  const std::unique_ptr<BN_CTX, void (*)(BN_CTX*)> room(BN_CTX_secure_new(), BN_CTX_free);
  const BIGNUM *n = RSA_get0_n(key), *e = RSA_get0_e(key);
  Blinded out{Bytes(k_ticket_bytes), {}, {}};
  must(RAND_bytes(out.ticket.data(), k_ticket_bytes) == 1, "no entropy");
  Bytes encoded(k_bytes);
  must(RSA_padding_add_PKCS1_PSS_mgf1(key, encoded.data(), digest_of(out.ticket, options).data(), EVP_sha384(),
                                      EVP_sha384(), k_salt_bytes) == 1,
       "it cannot be encoded");
  const Number message = number_of(encoded), inverse = number(), factor = number();
  // RFC 9474, section 4.2. A modulus of many small primes would show the factors that it shares with the message, blinded
  // or not, to the issuer and to the collector: they could link a device by them.
  must(BN_gcd(factor.get(), message.get(), n, room.get()) == 1 && BN_is_one(factor.get()),
       "the issuer's key is not the product of two large primes");
  Number random = number();
  do {  // all but a few numbers have an inverse
    must(BN_priv_rand_range(random.get(), n) == 1, "no entropy");
  } while (BN_is_zero(random.get()) || BN_mod_inverse(inverse.get(), random.get(), n, room.get()) == nullptr);
  must(BN_mod_exp(factor.get(), random.get(), e, n, room.get()) == 1 &&
           BN_mod_mul(factor.get(), factor.get(), message.get(), n, room.get()) == 1,
       "it cannot be blinded");
  out.inverse = bytes_of(inverse);
  out.blinded = bytes_of(factor);
  return out;
}

/// The signature without the blinding, which must be the issuer's.
Bytes unblinded(RSA* key, const Blinded& asked, const Bytes& signed_blindly, const AgentOptions& options) {
  const std::unique_ptr<BN_CTX, void (*)(BN_CTX*)> room(BN_CTX_secure_new(), BN_CTX_free);
  const Number inverse = number_of(asked.inverse), product = number_of(signed_blindly);
  must(BN_mod_mul(product.get(), product.get(), inverse.get(), RSA_get0_n(key), room.get()) == 1,
       "it cannot be unblinded");
  Bytes out = bytes_of(product), opened(k_bytes);
  must(RSA_public_decrypt(k_bytes, out.data(), opened.data(), key, RSA_NO_PADDING) == k_bytes &&
           RSA_verify_PKCS1_PSS_mgf1(key, digest_of(asked.ticket, options).data(), EVP_sha384(), EVP_sha384(),
                                     opened.data(), k_salt_bytes) == 1,
       "the issuer's signature does not hold");
  return out;
}

void write_secret(const fs::path& path, const std::string& text) {
  const mode_t before = ::umask(077);  // nobody else reads it, not even while it is written
  write_whole(path, text);
  ::umask(before);
}

/// The first step: HOME/ticket, with the time from which it is used.
void fetch_ticket(const AgentOptions& options, const fs::path& request, const fs::path& ticket) {
  const Rsa key = public_key(options);
  if (!fs::exists(request)) {
    const Blinded made = blind(key.get(), options);
    write_secret(request, hex_of(made.ticket) + "\n" + hex_of(made.inverse) + "\n" + hex_of(made.blinded) + "\n");
  }
  std::ifstream file(request);
  std::string name, inverse, blinded;
  file >> name >> inverse >> blinded;
  const Blinded asked{from_hex(name), from_hex(inverse), from_hex(blinded)};
  const std::string body = R"({"token": ")" + options.token + R"(", "blinded": ")" + blinded + R"("})";
  const Bytes signature = unblinded(
      key.get(), asked, from_hex(answer_of("POST", options.tickets + "/tickets", body, "signature")), options);
  std::random_device draw;
  const double wait = options.spread * std::uniform_real_distribution<>(0, 1)(draw);
  const auto due = std::chrono::system_clock::now() + std::chrono::duration<double>(wait);
  write_secret(ticket,
               name + "\n" + hex_of(signature) + "\n" +
                   std::to_string(std::chrono::duration_cast<std::chrono::seconds>(due.time_since_epoch()).count()) +
                   "\n");
  fs::remove(request);
}

}  // namespace

std::optional<std::string> enrol_by_ticket(const AgentOptions& options) {
  const fs::path request = options.home / "ticket-request", ticket = options.home / "ticket";
  if (!fs::exists(ticket)) fetch_ticket(options, request, ticket);
  std::ifstream file(ticket);
  std::string name, signature;
  long long due = 0;
  file >> name >> signature >> due;
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  if (now < due) {
    std::printf("the ticket is used in %lld s\n", static_cast<long long>(due - now));
    return std::nullopt;
  }
  const std::string body = R"({"ticket": ")" + name + R"(", "signature": ")" + signature + R"("})";
  const HttpAnswer answer = http_insist("POST", options.server + "/enroll", "application/json", body, k_tries);
  if (answer.status != 200)
    throw Unusable(options.server + "/enroll: status " + std::to_string(answer.status) + ", " +
                   json_text(answer.body, "what"));
  return json_text(answer.body, "pseudonym") + " " + json_text(answer.body, "key") + "\n";
}

#else

std::optional<std::string> enrol_by_ticket(const AgentOptions&) {
  throw Unusable("this agent was built without OpenSSL, and has no tickets");
}

#endif
