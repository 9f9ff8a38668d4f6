// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// `sotto issue`: the issuer of a study whose collector must not know its devices. It signs one blinded ticket for each
/// one-time token, and sees neither the ticket nor the credential that the collector gives for it.

#include <filesystem>

#include "sotto/analyzer/crypto/ticket.hpp"
#include "sotto/analyzer/serve/server.hpp"

namespace sotto::analyzer {

/// The file of an issuer's tokens, in the study's directory inside its data. A collector has another.
inline constexpr const char* k_issuer_file_name = "issuer.sqlite";

/// Serves until SIGTERM or SIGINT. Of the options, the operator's hash is not used: an issuer has no operator's page.
/// Refuses   serve.needs_tls; serve.cannot_listen; serve.bad_certificate; what Desk refuses.
[[nodiscard]] Result<Done> issue_tickets(const Digest& study, const std::filesystem::path& file, const TicketKey& key,
                                         const ServerOptions& options);

}  // namespace sotto::analyzer
