// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Tickets of enrolment: an issuer who knows the devices signs a ticket that it cannot see, and a collector who sees the
/// ticket cannot tell for whom it was signed. Blind RSA signatures, RSABSSA-SHA384-PSS-Randomized of RFC 9474, with keys
/// of 3072 bits. Written with OpenSSL.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "sotto/credential.hpp"

namespace sotto::analyzer {

/// The random part of a ticket, which its device draws.
using Ticket = std::array<std::uint8_t, 32>;
/// Bytes of a signature, and of a blinded ticket.
inline constexpr std::size_t k_ticket_signature_bytes = 384;

/// What is signed: the ticket, "sotto-ticket-1", and the digest of the study that it enrols in.
[[nodiscard]] std::vector<std::uint8_t> ticket_message(const Ticket& ticket, const Digest& study);

/// The pseudonym that follows from a ticket, so that asking again gives the same: the first 8 bytes of HMAC-SHA-256(master,
/// "sotto-ticket-pseudonym-1" || study digest || ticket). Never 0.
[[nodiscard]] std::uint64_t ticket_pseudonym(const MasterKey& master, const Digest& study, const Ticket& ticket);

/// The public key of an issuer: checks tickets.
class TicketCheck {
 public:
  /// Refuses   ticket.bad_key: the text is not the PEM of a public RSA key of 3072 bits with the exponent 65537.
  [[nodiscard]] static Result<TicketCheck> read(std::string_view pem);

  [[nodiscard]] bool holds(std::span<const std::uint8_t> message, std::span<const std::uint8_t> signature) const;
  /// The SHA-256 of its SubjectPublicKeyInfo, which a study names.
  [[nodiscard]] const Digest& fingerprint() const noexcept { return fingerprint_; }
  [[nodiscard]] const std::string& pem() const noexcept { return pem_; }

 private:
  friend class TicketKey;
  struct Key;
  explicit TicketCheck(std::shared_ptr<const Key> key);
  std::shared_ptr<const Key> key_;
  Digest fingerprint_{};
  std::string pem_;
};

/// The secret key of an issuer: signs blinded tickets.
class TicketKey {
 public:
  [[nodiscard]] static TicketKey draw();
  /// Refuses   ticket.bad_key.
  [[nodiscard]] static Result<TicketKey> read(std::string_view pem);

  /// The secret in PEM (PKCS #8). The caller wipes it.
  [[nodiscard]] std::string pem() const;
  [[nodiscard]] const TicketCheck& check() const noexcept { return check_; }
  /// Signs what a device blinded. The same bytes give the same signature.
  /// Refuses   ticket.bad_blinded: it has another size, or is not below the modulus.
  [[nodiscard]] Result<std::vector<std::uint8_t>> sign(std::span<const std::uint8_t> blinded) const;

 private:
  explicit TicketKey(const std::shared_ptr<const TicketCheck::Key>& key) : check_(key) {}
  TicketCheck check_;
};

}  // namespace sotto::analyzer
