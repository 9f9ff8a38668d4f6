// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The key of an issuer that signs tickets of enrolment: its files, and what a study says of it.

#include <filesystem>
#include <string>

#include "sotto/analyzer/crypto/ticket.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::cli {

/// The public key in the directory of a study whose devices enrol with tickets.
inline constexpr const char* k_ticket_key_name = "tickets.pub";

/// Draws a key into a new file, readable by its owner only, and the public key into FILE.pub.
/// Refuses   key.exists; io.cannot_write.
[[nodiscard]] analyzer::Result<analyzer::TicketCheck> make_ticket_key(const std::filesystem::path& path);

/// Loads the secret key.
/// Refuses   io.cannot_read; key.exposed; ticket.bad_key.
[[nodiscard]] analyzer::Result<analyzer::TicketKey> load_ticket_key(const std::filesystem::path& path);

/// Loads DIR/tickets.pub.
/// Refuses   ticket.no_key: there is no such file; ticket.other_key: it is not the key that the study names;
///           ticket.bad_key; io.cannot_read.
[[nodiscard]] analyzer::Result<analyzer::TicketCheck> load_ticket_check(const std::filesystem::path& directory,
                                                                        const analyzer::Study& study);

/// Checks that this is the key that the study names.
/// Refuses   ticket.other_key.
[[nodiscard]] analyzer::Result<analyzer::Done> is_key_of(const analyzer::TicketCheck& key, const analyzer::Study& study,
                                                         const std::string& file);

}  // namespace sotto::cli
