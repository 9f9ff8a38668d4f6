// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/text/printable.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <type_traits>

#include "sotto/analyzer/html/html.hpp"

namespace sotto::analyzer {
namespace {

// A string is no HTML: what is not escaped does not compile.
using html::Html;
static_assert(!std::is_constructible_v<Html, std::string> && !std::is_constructible_v<Html, std::string_view>);
static_assert(!std::is_assignable_v<Html&, std::string> && !std::is_constructible_v<html::Markup, std::string>);
template <class T>
concept Appends = requires(Html a, T b) {
  a += b;
};
static_assert(Appends<Html> && !Appends<std::string> && !Appends<std::string_view>);

TEST(Printable, what_steers_is_written_out) {
  EXPECT_EQ(printable("plain text, \\ and \"quotes\""), "plain text, \\ and \"quotes\"");
  EXPECT_EQ(printable("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("one\ntwo\tthree\r"), "one\\x0atwo\\x09three\\x0d");
  EXPECT_EQ(printable_lines("one\ntwo\tthree\r"), "one\ntwo\tthree\\x0d");
  EXPECT_EQ(printable("\u202egnp.exe\u202c\u2066\u061c"), "\\u202egnp.exe\\u202c\\u2066\\u061c");
  EXPECT_EQ(printable("\u009b2J\u0085\x7f\u00ad"), "\\x9b2J\\x85\\x7f\\xad");
  EXPECT_EQ(printable("\U000e0041\ufeff\u2028\uffff"), "\\ue0041\\ufeff\\u2028\\uffff");
}

TEST(Printable, letters_of_all_scripts_stay) {
  for (const std::string text :
       {"Öl-Temperatur", "温度センサー", "עברית", "العربية", "हिन्दी", "\U0001f469\u200d\U0001f52c", "µm/s \u2212 °C"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(valid_utf8(text), text);
  }
}

TEST(Printable, bytes_that_are_no_utf8_are_written_out) {
  EXPECT_EQ(printable("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80");                    // NUL in two bytes
  EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");           // a slash in three
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // half of a pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last character
  EXPECT_EQ(printable("\xf0\x9f\x8c"), "\\xf0\\x9f\\x8c");           // cut short
  EXPECT_EQ(valid_utf8("a\x1b\xff"), "a\x1b\\xff");                  // JSON has an escape of its own for the first
}

TEST(Printable, any_bytes_give_utf8_that_steers_nothing) {
  std::mt19937 random{7};
  for (int i = 0; i < 20000; ++i) {
    std::string bytes(random() % 12, '\0');
    for (char& b : bytes) b = static_cast<char>(random() % 4 == 0 ? random() : 0x80 + random() % 0x80);
    const std::string text = printable(bytes);
    for (std::string_view left = text; !left.empty();) {
      const Character c = first_character(left);
      ASSERT_TRUE(c.is_valid && !is_steering(c.value)) << text;
      left.remove_prefix(c.bytes);
    }
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, text_is_cut_between_characters) {
  EXPECT_EQ(first_letters("温度", 6), "温度");
  EXPECT_EQ(first_letters("温度", 5), "温");
  EXPECT_EQ(first_letters("温度", 2), "");
  EXPECT_EQ(first_letters("abc", 2), "ab");
}

TEST(Html, text_is_escaped_and_markup_is_not) {
  const std::string name = "<b>\"&'";
  EXPECT_EQ(html::markup("<i title=\"{}\">{}</i>{}", name, name, 1.5).text(),
            "<i title=\"&lt;b&gt;&quot;&amp;&#39;\">&lt;b&gt;&quot;&amp;&#39;</i>1.5");
  EXPECT_EQ(html::markup("<p>{}</p>", html::markup("<b>{}</b>", name.c_str())).text(),
            "<p><b>&lt;b&gt;&quot;&amp;&#39;</b></p>");
  EXPECT_EQ((Html("<p>") + html::escape("a\x1b<\xff") + "</p>").text(), "<p>a\\x1b&lt;\\xff</p>");
}

}  // namespace
}  // namespace sotto::analyzer
