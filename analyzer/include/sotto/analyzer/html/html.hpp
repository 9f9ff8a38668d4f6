// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A type-safe way to build HTML: text from studies, files and devices is escaped by construction and cannot become
/// markup.

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace sotto::analyzer::html {

/// Markup from the source code: only a compile-time constant converts to it.
class Markup {
 public:
  consteval Markup(const char* literal) : text_(literal) {}  // NOLINT: "<p>" converts to markup implicitly
  [[nodiscard]] constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

/// HTML made of literals, numbers, and text that was escaped when it was added. A std::string does not convert to HTML,
/// so that nobody can forget to escape one.
class Html {
 public:
  Html() = default;
  explicit Html(Markup markup) : text_(markup.text()) {}
  Html& operator+=(const Html& more) {
    text_ += more.text_;
    return *this;
  }
  Html& operator+=(Markup more) {
    text_ += more.text();
    return *this;
  }
  friend Html operator+(Html a, const Html& b) { return a += b; }
  friend Html operator+(Html a, Markup b) { return a += b; }
  friend Html operator+(Markup a, const Html& b) { return Html(a) += b; }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  friend class HtmlMaker;
  std::string text_;
};

/// Escapes any text for use between tags and inside quoted attributes. Control characters, invisible characters and
/// invalid UTF-8 are written out as escapes (text/printable.hpp); line feeds and tabs stay.
[[nodiscard]] Html escape(std::string_view text);

/// What markup() inserts for an argument: HTML and numbers unchanged, text escaped.
template <class T>
[[nodiscard]] auto shown(const T& value) {
  if constexpr (std::same_as<T, Html>) {
    return std::string_view(value.text());
  } else if constexpr (std::convertible_to<const T&, std::string_view>) {
    return std::string(escape(value).text());
  } else {
    static_assert(std::is_arithmetic_v<T>, "markup() takes HTML, numbers and text");
    return value;
  }
}
template <class T>
using Shown = decltype(shown(std::declval<const T&>()));

/// fmt::format for HTML: the format string is markup, the arguments are passed through shown().
template <class... Args>
[[nodiscard]] Html markup(fmt::format_string<Shown<Args>...> format, const Args&... args);

/// The only class that converts a string to HTML.
class HtmlMaker {
  template <class... Args>
  friend Html markup(fmt::format_string<Shown<Args>...> format, const Args&... args);
  friend Html escape(std::string_view text);
  static Html make(std::string text) {
    Html html;
    html.text_ = std::move(text);
    return html;
  }
};

template <class... Args>
Html markup(fmt::format_string<Shown<Args>...> format, const Args&... args) {
  return HtmlMaker::make(fmt::format(format, shown(args)...));
}

}  // namespace sotto::analyzer::html
