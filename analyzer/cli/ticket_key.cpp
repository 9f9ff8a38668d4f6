// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "ticket_key.hpp"

#include <sys/stat.h>

#include <algorithm>

#include <fmt/format.h>

#include "files.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/analyzer/files/replaced_file.hpp"

namespace sotto::cli {

using analyzer::Done;
using analyzer::Error;
using analyzer::Result;
using analyzer::TicketCheck;
using analyzer::TicketKey;
namespace fs = std::filesystem;

namespace {

Result<Done> place_new(const fs::path& path, std::string_view text, analyzer::Readers readers) {
  Result<analyzer::ReplacedFile> file = analyzer::ReplacedFile::begin(path, readers);
  if (!file) return file.error();
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  if (const auto written = file.value().write(bytes); !written) return written;
  const Result<bool> is_new = file.value().commit_new();
  if (!is_new) return is_new.error();
  if (is_new.value()) return Done{};
  return Error{"key.exists", "this file exists, and a key is never replaced", path.string(), "choose another --out"};
}

void wipe(std::string& text) {
  analyzer::wipe_secret(std::span(reinterpret_cast<std::uint8_t*>(text.data()), text.size()));
}

Error located(Error error, const std::string& file) {
  error.value = file;
  return error;
}

}  // namespace

Result<TicketCheck> make_ticket_key(const fs::path& path) {
  const TicketKey key = TicketKey::draw();
  std::string secret = key.pem();
  const auto placed = place_new(path, secret, analyzer::Readers::owner);
  wipe(secret);
  if (!placed) return placed.error();
  const auto shown = place_new(path.string() + ".pub", key.check().pem(), analyzer::Readers::as_usual);
  if (!shown) return shown.error();
  return key.check();
}

Result<TicketKey> load_ticket_key(const fs::path& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) == 0 && (facts.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Error{"key.exposed", "other users may read the key", path.string(),
                 fmt::format("chmod 600 {}, and consider who may have read it", path.string())};
  }
  Result<std::string> text = read_file(path.string());
  if (!text) return text.error();
  std::string secret = std::move(text).value();
  Result<TicketKey> key = TicketKey::read(secret);
  wipe(secret);
  if (!key) return located(key.error(), path.string());
  return key;
}

Result<Done> is_key_of(const TicketCheck& key, const analyzer::Study& study, const std::string& file) {
  if (study.terms.tickets && std::ranges::equal(*study.terms.tickets, key.fingerprint())) return Done{};
  return Error{"ticket.other_key", "this is not the key that the study names for its tickets", file,
               fmt::format("name the key with the fingerprint of study.tickets; this one has {}",
                           analyzer::hex_text(key.fingerprint()))};
}

Result<TicketCheck> load_ticket_check(const fs::path& directory, const analyzer::Study& study) {
  const fs::path path = directory / k_ticket_key_name;
  const Result<bool> there = analyzer::is_there(path);
  if (!there) return there.error();
  if (!there.value()) {
    return Error{"ticket.no_key", "devices of this study enrol with tickets, and the issuer's public key is missing",
                 path.string(), "copy the file of sotto keygen --tickets that ends in .pub there"};
  }
  const Result<std::string> text = read_file(path.string());
  if (!text) return text.error();
  Result<TicketCheck> key = TicketCheck::read(text.value());
  if (!key) return located(key.error(), path.string());
  if (const auto own = is_key_of(key.value(), study, path.string()); !own) return own.error();
  return key;
}

}  // namespace sotto::cli
