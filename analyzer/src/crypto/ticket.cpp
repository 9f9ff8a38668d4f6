// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
// A raw private operation of RSA, which is what a blind signature is, exists in the older functions of OpenSSL alone.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "sotto/analyzer/crypto/ticket.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <algorithm>
#include <stdexcept>

#include "sotto/bytes.hpp"

namespace sotto::analyzer {
namespace {

constexpr int k_bits = 3072, k_salt_bytes = 48;
constexpr std::string_view k_ticket_label = "sotto-ticket-1", k_pseudonym_label = "sotto-ticket-pseudonym-1";

template <class T, void (*Free)(T*)>
struct Freed {
  void operator()(T* object) const noexcept { Free(object); }
};
using OwnRsa = std::unique_ptr<RSA, Freed<RSA, RSA_free>>;
using OwnNumber = std::unique_ptr<BIGNUM, Freed<BIGNUM, BN_clear_free>>;
using OwnDigest = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX, EVP_MD_CTX_free>>;
using OwnPkey = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY, EVP_PKEY_free>>;
using OwnBio = std::unique_ptr<BIO, Freed<BIO, BIO_vfree>>;

void must(bool done) {
  if (!done) throw std::runtime_error("OpenSSL refuses an operation of a ticket key");
}

Error bad_key(std::string_view what) {
  return {"ticket.bad_key", std::string(what), "", "sotto keygen --tickets makes such keys"};
}

/// Refuses keys that are not those of tickets: a device must know the size of what it blinds.
Result<OwnRsa> checked(OwnRsa key) {
  if (!key) return bad_key("the file is not the PEM of an RSA key");
  if (RSA_bits(key.get()) != k_bits || BN_is_word(RSA_get0_e(key.get()), RSA_F4) != 1)
    return bad_key("the key is not RSA of 3072 bits with the exponent 65537");
  return key;
}

OwnBio reader(std::string_view pem) { return OwnBio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))); }

std::string text_of(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

}  // namespace

struct TicketCheck::Key {
  OwnRsa rsa;
};

std::vector<std::uint8_t> ticket_message(const Ticket& ticket, const Digest& study) {
  std::vector<std::uint8_t> out(ticket.begin(), ticket.end());
  out.insert(out.end(), k_ticket_label.begin(), k_ticket_label.end());
  out.insert(out.end(), study.begin(), study.end());
  return out;
}

std::uint64_t ticket_pseudonym(const MasterKey& master, const Digest& study, const Ticket& ticket) {
  std::vector<std::uint8_t> text(k_pseudonym_label.begin(), k_pseudonym_label.end());
  text.insert(text.end(), study.begin(), study.end());
  text.insert(text.end(), ticket.begin(), ticket.end());
  Digest out;
  must(HMAC(EVP_sha256(), master.data(), static_cast<int>(master.size()), text.data(), text.size(), out.data(),
            nullptr) != nullptr);
  const std::uint64_t name = load_u32(out.data()) | std::uint64_t{load_u32(out.data() + 4)} << 32;
  return std::max<std::uint64_t>(name, 1);
}

TicketCheck::TicketCheck(std::shared_ptr<const Key> key) : key_(std::move(key)) {
  std::uint8_t* der = nullptr;
  const int size = i2d_RSA_PUBKEY(key_->rsa.get(), &der);
  must(size > 0);
  sha256({der, static_cast<std::size_t>(size)}, fingerprint_);
  OPENSSL_free(der);
  const OwnBio bio(BIO_new(BIO_s_mem()));
  must(bio && PEM_write_bio_RSA_PUBKEY(bio.get(), key_->rsa.get()) == 1);
  pem_ = text_of(bio.get());
}

Result<TicketCheck> TicketCheck::read(std::string_view pem) {
  const OwnBio bio = reader(pem);
  Result<OwnRsa> key = checked(OwnRsa(bio ? PEM_read_bio_RSA_PUBKEY(bio.get(), nullptr, nullptr, nullptr) : nullptr));
  if (!key) return key.error();
  return TicketCheck(std::make_shared<const Key>(Key{std::move(key).value()}));
}

bool TicketCheck::holds(std::span<const std::uint8_t> message, std::span<const std::uint8_t> signature) const {
  if (signature.size() != k_ticket_signature_bytes) return false;
  const OwnPkey key(EVP_PKEY_new());
  const OwnDigest context(EVP_MD_CTX_new());
  must(key && context && EVP_PKEY_set1_RSA(key.get(), key_->rsa.get()) == 1);
  EVP_PKEY_CTX* options = nullptr;
  must(EVP_DigestVerifyInit(context.get(), &options, EVP_sha384(), nullptr, key.get()) == 1 &&
       EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1 &&
       EVP_PKEY_CTX_set_rsa_pss_saltlen(options, k_salt_bytes) == 1 &&
       EVP_PKEY_CTX_set_rsa_mgf1_md(options, EVP_sha384()) == 1);
  return EVP_DigestVerify(context.get(), signature.data(), signature.size(), message.data(), message.size()) == 1;
}

TicketKey TicketKey::draw() {
  OwnRsa rsa(RSA_new());
  const OwnNumber exponent(BN_new());
  must(rsa && exponent && BN_set_word(exponent.get(), RSA_F4) == 1 &&
       RSA_generate_key_ex(rsa.get(), k_bits, exponent.get(), nullptr) == 1);
  return TicketKey(std::make_shared<const TicketCheck::Key>(TicketCheck::Key{std::move(rsa)}));
}

Result<TicketKey> TicketKey::read(std::string_view pem) {
  const OwnBio bio = reader(pem);
  OwnRsa secret;
  if (bio) {
    char no_password[] = "";  // without one OpenSSL would ask at the terminal
    const OwnPkey key(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, no_password));
    if (key) secret.reset(EVP_PKEY_get1_RSA(key.get()));
  }
  Result<OwnRsa> key = checked(std::move(secret));
  if (!key) return key.error();
  if (RSA_check_key(key.value().get()) != 1) return bad_key("the key's numbers do not belong together");
  return TicketKey(std::make_shared<const TicketCheck::Key>(TicketCheck::Key{std::move(key).value()}));
}

std::string TicketKey::pem() const {
  const OwnBio bio(BIO_new(BIO_s_mem()));
  const OwnPkey key(EVP_PKEY_new());
  must(bio && key && EVP_PKEY_set1_RSA(key.get(), check_.key_->rsa.get()) == 1 &&
       PEM_write_bio_PKCS8PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
  return text_of(bio.get());
}

Result<std::vector<std::uint8_t>> TicketKey::sign(std::span<const std::uint8_t> blinded) const {
  const Error bad{"ticket.bad_blinded", "this is not a blinded ticket", "",
                  "blind it with the issuer's public key (RFC 9474)"};
  RSA* const rsa = check_.key_->rsa.get();
  const OwnNumber number(BN_bin2bn(blinded.data(), static_cast<int>(blinded.size()), nullptr));
  if (blinded.size() != k_ticket_signature_bytes || BN_cmp(number.get(), RSA_get0_n(rsa)) >= 0) return bad;
  std::vector<std::uint8_t> out(k_ticket_signature_bytes), again(k_ticket_signature_bytes);
  const int size = static_cast<int>(blinded.size());
  // OpenSSL blinds the operation by itself, so that its time tells nothing about the key.
  must(RSA_private_encrypt(size, blinded.data(), out.data(), rsa, RSA_NO_PADDING) == size);
  // A fault in the computation would give the key away: what is told was checked (RFC 9474, section 4.3).
  must(RSA_public_decrypt(size, out.data(), again.data(), rsa, RSA_NO_PADDING) == size);
  must(std::ranges::equal(again, blinded));
  return out;
}

}  // namespace sotto::analyzer
