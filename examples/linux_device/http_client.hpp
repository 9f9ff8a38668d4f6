// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>

// HTTP/1.1 as a device needs it: one request on one connection, with TLS where the URL says so.

struct HttpAnswer {
  int status = 0;  // 0: the server was not reached, or its answer was cut off
  int wait = 0;    // seconds that Retry-After says
  std::string body;
};

/// A request to a URL such as http://127.0.0.1:8080/v1/studies/DIGEST/round. Throws Unusable for another kind of URL.
HttpAnswer http_ask(const std::string& method, const std::string& url, const std::string& type,
                    const std::string& body);

/// The same, again after a failure or where the server asks for patience (429, 503): `tries` times in all, each after about
/// twice the time of the one before. The time is drawn, so that a fleet does not come back all at once.
HttpAnswer http_insist(const std::string& method, const std::string& url, const std::string& type,
                       const std::string& body, int tries);
