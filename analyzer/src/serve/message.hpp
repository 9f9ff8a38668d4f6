// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A request and its reply, apart from how they travel.
namespace sotto::analyzer {

struct Request {
  std::string method, path;
  std::string authorization, cookie, content_type, if_none_match, csrf;
  std::string body;
};

struct Reply {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  /// Of server-sent events: gives the next piece of text once a second, until the connection ends.
  std::function<std::string()> events;
};

using Respond = std::function<void(Reply)>;
using Handler = std::function<void(const Request&, Respond)>;

}  // namespace sotto::analyzer
