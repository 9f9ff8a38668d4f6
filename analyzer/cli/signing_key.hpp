// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <filesystem>
#include <string>

#include "sotto/analyzer/crypto/signing.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// Draws a key, writes KEY (only its owner may read it) and KEY.pub. What is there is never replaced.
/// Refuses   key.exists; io.cannot_write.
[[nodiscard]] analyzer::Result<analyzer::IssuerKey> make_signing_key(const std::filesystem::path& path);

/// Refuses   key.exposed: others may read it; key.not_a_key; io.cannot_read.
[[nodiscard]] analyzer::Result<analyzer::SigningKey> load_signing_key(const std::filesystem::path& path);

/// KEY.pub, or its 64 hexadecimal digits themselves.
/// Refuses   key.not_a_key; io.cannot_read.
[[nodiscard]] analyzer::Result<analyzer::IssuerKey> load_issuer_key(const std::string& file_or_digits);

}  // namespace sotto::cli
