// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace sotto::analyzer::html {

/// Markup that stands in the source code: nothing but a constant becomes it.
class Markup {
 public:
  consteval Markup(const char* literal) : text_(literal) {}  // NOLINT: "<p>" is meant to be markup without a word
  [[nodiscard]] constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

/// HTML: literals, numbers, and text that was escaped on the way in. A std::string is no HTML and cannot become it, so
/// that nobody can forget to escape one.
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

/// Any text as it may stand between tags and inside quoted attributes: what is markup there is not, and what steers or
/// is no UTF-8 is written out (text/printable.hpp). Line feeds and tabs stay.
[[nodiscard]] Html escape(std::string_view text);

/// What stands for an argument of markup(): HTML and numbers as they are, any text escaped.
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

/// fmt::format for HTML: the format is markup, the arguments are shown().
template <class... Args>
[[nodiscard]] Html markup(fmt::format_string<Shown<Args>...> format, const Args&... args);

/// The one door by which a string becomes HTML.
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
