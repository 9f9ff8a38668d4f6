// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The files of an issuer's signing key: KEY (secret) and KEY.pub (public).

#include <filesystem>
#include <string>

#include "sotto/analyzer/crypto/signing.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// Draws a key and writes KEY, readable by its owner only, and KEY.pub. Existing files are never replaced.
/// Refuses   key.exists; io.cannot_write.
[[nodiscard]] analyzer::Result<analyzer::IssuerKey> make_signing_key(const std::filesystem::path& path);

/// Loads the secret key.
/// Refuses   key.exposed: others may read it; key.not_a_key; io.cannot_read.
[[nodiscard]] analyzer::Result<analyzer::SigningKey> load_signing_key(const std::filesystem::path& path);

/// Loads a public key from KEY.pub, or from its 64 hexadecimal digits.
/// Refuses   key.not_a_key; io.cannot_read.
[[nodiscard]] analyzer::Result<analyzer::IssuerKey> load_issuer_key(const std::string& file_or_digits);

}  // namespace sotto::cli
