// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "signing_key.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "files.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/files/replaced_file.hpp"

namespace sotto::cli {

using analyzer::Error;
using analyzer::IssuerKey;
using analyzer::Result;
using analyzer::SecretSeed;
using analyzer::SigningKey;
namespace fs = std::filesystem;

namespace {

/// KEY is this word followed by 64 digits, so that it is not mistaken for the public key, which is digits alone.
constexpr std::string_view k_secret_word = "sotto-secret-key-1 ";
constexpr std::size_t k_digits = 64, k_secret_bytes = k_secret_word.size() + k_digits + 1;

using SecretText = std::array<std::uint8_t, k_secret_bytes>;

bool read_digits(const char* digits, std::span<std::uint8_t, 32> out) {
  const auto value = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int high = value(digits[2 * i]), low = value(digits[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    out[i] = static_cast<std::uint8_t>(16 * high + low);
  }
  return true;
}

void write_digits(std::span<const std::uint8_t, 32> bytes, std::uint8_t* out) {
  constexpr std::string_view k_hex = "0123456789abcdef";
  for (const std::uint8_t b : bytes) {
    *out++ = static_cast<std::uint8_t>(k_hex[b >> 4]);
    *out++ = static_cast<std::uint8_t>(k_hex[b & 15]);
  }
}

Error key_trouble(std::string_view code, std::string_view what, const fs::path& path) {
  return {code, fmt::format("{}: {}", what, std::strerror(errno)), path.string(), "check the directory and its rights"};
}

Error exists_already(const fs::path& path) {
  return {"key.exists", "this file exists, and a key is never replaced", path.string(), "choose another --out"};
}

/// Writes a new file durably. Nothing is replaced, and nobody sees half of it.
Result<analyzer::Done> place_new_file(const fs::path& path, std::span<const std::uint8_t> bytes,
                                      analyzer::Readers readers) {
  Result<analyzer::ReplacedFile> file = analyzer::ReplacedFile::begin(path, readers);
  if (!file) return file.error();
  if (const auto written = file.value().write(bytes); !written) return written.error();
  const Result<bool> is_new = file.value().commit_new();
  if (!is_new) return is_new.error();
  if (!is_new.value()) return exists_already(path);
  return analyzer::Done{};
}

fs::path public_path(const fs::path& path) { return path.string() + ".pub"; }

}  // namespace

Result<IssuerKey> make_signing_key(const fs::path& path) {
  SecretSeed seed;
  analyzer::random_bytes(seed);
  const SigningKey key(seed);
  SecretText secret;
  std::ranges::copy(k_secret_word, secret.begin());
  write_digits(seed, secret.data() + k_secret_word.size());
  secret.back() = '\n';
  analyzer::wipe_secret(seed);
  std::array<std::uint8_t, k_digits + 1> digits;
  write_digits(key.public_key(), digits.data());
  digits.back() = '\n';
  // The secret is written first: a public key without its secret is of no use.
  Result<analyzer::Done> placed = fs::exists(public_path(path))
                                      ? exists_already(public_path(path))
                                      : place_new_file(path, secret, analyzer::Readers::owner);
  analyzer::wipe_secret(secret);
  if (placed) placed = place_new_file(public_path(path), digits, analyzer::Readers::as_usual);
  if (!placed) return placed.error();
  return key.public_key();
}

Result<SigningKey> load_signing_key(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe is no key, and is not waited for
  struct stat facts {};
  if (file < 0 || ::fstat(file, &facts) != 0) {
    const Error error = key_trouble("io.cannot_read", "cannot read the key", path);
    if (file >= 0) ::close(file);
    return error;
  }
  SecretText text{};
  const bool whole = S_ISREG(facts.st_mode) && facts.st_size == off_t{k_secret_bytes} &&
                     ::read(file, text.data(), text.size()) == ssize_t{k_secret_bytes};
  ::close(file);
  SecretSeed seed{};
  const bool good = whole && std::equal(k_secret_word.begin(), k_secret_word.end(), text.begin()) &&
                    text.back() == '\n' &&
                    read_digits(reinterpret_cast<const char*>(text.data()) + k_secret_word.size(), seed);
  analyzer::wipe_secret(text);
  const SigningKey key(seed);
  analyzer::wipe_secret(seed);
  if (!good) {
    return Error{"key.not_a_key", "this is not a secret key of sotto keygen", path.string(),
                 "name the file of sotto keygen --out, without .pub"};
  }
  if ((facts.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Error{"key.exposed", "other users may read the key", path.string(),
                 fmt::format("chmod 600 {}, and consider who may have read it", path.string())};
  }
  return key;
}

Result<IssuerKey> load_issuer_key(const std::string& file_or_digits) {
  IssuerKey key{};
  if (file_or_digits.size() == k_digits && read_digits(file_or_digits.data(), key)) return key;
  const Result<std::string> text = read_file(file_or_digits);
  if (!text) return text.error();
  if (text.value().size() != k_digits + 1 || text.value().back() != '\n' || !read_digits(text.value().data(), key)) {
    return Error{"key.not_a_key", "a public key is a line of 64 hexadecimal digits", file_or_digits,
                 "name the file that sotto keygen wrote, with .pub, or its digits"};
  }
  return key;
}

}  // namespace sotto::cli
