// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <optional>

#include <boost/beast/http.hpp>

#include "message.hpp"
#include "sotto/analyzer/ingest/batch.hpp"

// How bytes become a request: the limits of the parser, and the fields that are looked at.
namespace sotto::analyzer {

using RequestParser = boost::beast::http::request_parser<boost::beast::http::string_body>;

inline constexpr std::uint32_t k_header_bytes_max = 8192;

inline void begin_request(std::optional<RequestParser>& parser) {
  parser.emplace();
  parser->header_limit(k_header_bytes_max);
  parser->body_limit(k_batch_max_bytes);
}

/// The status that an error of the parser is answered with.
[[nodiscard]] inline unsigned status_of(const boost::beast::error_code& failed) {
  using boost::beast::http::error;
  return failed == error::body_limit ? 413 : failed == error::header_limit ? 431 : 400;
}

/// A whole request, whose body is moved out of the parser.
[[nodiscard]] inline Request request_of(RequestParser& parser) {
  namespace http = boost::beast::http;
  http::request<http::string_body>& got = parser.get();
  const auto field = [&got](auto name) { return std::string(got[name]); };
  Request request;
  request.method = std::string(got.method_string());
  request.path = std::string(got.target().substr(0, got.target().find('?')));
  request.authorization = field(http::field::authorization);
  request.cookie = field(http::field::cookie);
  request.content_type = field(http::field::content_type);
  request.if_none_match = field(http::field::if_none_match);
  request.csrf = field("X-CSRF-Token");
  request.body = std::move(got.body());
  return request;
}

}  // namespace sotto::analyzer
