// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/html/number_text.hpp"

#include <cmath>

#include <fmt/format.h>

namespace sotto::analyzer::html {
namespace {

constexpr const char* k_minus = "\xe2\x88\x92";

}  // namespace

std::string grouped(std::uint64_t n) {
  const std::string digits = std::to_string(n);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string short_number(double value) {
  if (!std::isfinite(value)) return "unknown";
  const double size = std::abs(value);
  if (size == 0) return "0";
  // Plain digits where they are few; powers of ten for very small and very large numbers.
  const int decimals = 2 - static_cast<int>(std::floor(std::log10(size)));
  const bool is_plain = decimals >= -4 && decimals <= 6;
  const std::string digits =
      is_plain ? fmt::format("{:.{}f}", size, decimals < 0 ? 0 : decimals) : fmt::format("{:.2e}", size);
  return (value < 0 ? k_minus : "") + digits;
}

std::string signed_number(double value) { return (value > 0 && std::isfinite(value) ? "+" : "") + short_number(value); }

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) return "unknown";
  const std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
  const bool is_zero = digits.find_first_of("123456789") == std::string::npos;
  return (value < 0 && !is_zero ? k_minus : "") + digits;
}

std::string signed_fixed(double value, int decimals) {
  const std::string text = fixed(value, decimals);
  return (value > 0 && std::isfinite(value) && text.find_first_of("123456789") != std::string::npos ? "+" : "") + text;
}

std::string plain_number(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "unknown"; }

std::string p_text(double p) {
  if (!std::isfinite(p)) return "unknown";
  if (p < 0.0001) return "< 0.0001";
  return fmt::format("{:.{}f}", p, p < 0.001 ? 4 : p < 0.1 ? 3 : 2);
}

}  // namespace sotto::analyzer::html
