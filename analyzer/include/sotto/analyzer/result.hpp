// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The return type of functions that can refuse: a value, or an error with a stable code, what was refused and what to
/// do about it.

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace sotto::analyzer {

/// Why something was refused: `code` for programs, the other members for a reader.
struct Error {
  std::string_view code;  ///< a literal such as "spec.bad_epsilon"; stable, scripts rely on it
  std::string what;       ///< what was refused
  std::string value;      ///< the offending value as it was given
  std::string fix;        ///< what to do about it

  [[nodiscard]] std::string message() const {
    return std::string(code) + ": " + what + (value.empty() ? "" : " (" + value + ")") +
           (fix.empty() ? "" : "; " + fix);
  }
};

/// A value, or the reason why there is none. Accessing the one that is absent throws std::bad_variant_access.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const noexcept { return held_.index() == 0; }
  [[nodiscard]] explicit operator bool() const noexcept { return ok(); }

  [[nodiscard]] const T& value() const& { return std::get<0>(held_); }
  [[nodiscard]] T& value() & { return std::get<0>(held_); }
  /// By value: a reference into a temporary Result would dangle in `for (x : f().value())`.
  [[nodiscard]] T value() && { return std::get<0>(std::move(held_)); }
  [[nodiscard]] const Error& error() const { return std::get<1>(held_); }

 private:
  std::variant<T, Error> held_;
};

/// The value of a function that has no value to return: Result<Done>.
struct Done {};

}  // namespace sotto::analyzer
