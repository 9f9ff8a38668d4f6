// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any bytes on a connection to sotto serve, in pieces of any size: each request has one reply with a status that is known, no reply
// has a line of its own making in its headers, and nothing that is the operator's is given to whoever has no token.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <future>

#include "analyzer/src/serve/http_request.hpp"
#include "analyzer/src/serve/router.hpp"
#include "fuzz_bytes.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/compile/read_study.hpp"

using namespace sotto;
using namespace sotto::fuzz;
using namespace sotto::analyzer;

namespace {

/// A server without its sockets: one study, in a directory that is removed at the end.
class Server {
 public:
  Server() : rights_({}, false) {
    std::string name = (std::filesystem::temp_directory_path() / "sotto-fuzz-XXXXXX").string();
    must(::mkdtemp(name.data()) != nullptr);
    path_ = name;
    const std::string text = "name = \"f\"\n[privacy]\nepsilon = 2\n[question]\nkind = \"vote\"\nfeatures = 8\n";
    Study study = read_study(text, "f").value();
    const CompiledStudy made = compile_study(study, repeatable_seed(1)).value();
    ServedStudy served{std::move(study), made.manifest, MasterKey{7}, nullptr, "fuzz", path_, {}};
    auto opened = StudyService::open(std::move(served), [](std::string_view, const std::string&, std::string_view) {});
    must(opened.ok());
    services_.push_back(std::move(opened).value());
  }
  ~Server() {
    services_.clear();
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Reply ask(const Request& request) {
    const auto promised = std::make_shared<std::promise<Reply>>();
    std::future<Reply> reply = promised->get_future();
    // A second answer to one request throws, and is a finding.
    router_.handle(request, [promised](Reply own) { promised->set_value(std::move(own)); });
    must(reply.wait_for(std::chrono::seconds(20)) == std::future_status::ready);
    return reply.get();
  }
  [[nodiscard]] const std::string& digest() const { return services_.front()->digest(); }

 private:
  std::filesystem::path path_;
  Rights rights_;
  HttpCounts counts_;
  std::vector<std::unique_ptr<StudyService>> services_;
  Router router_{services_, rights_, counts_};
};

/// The fuzzer cannot guess the digest of the study: where its bytes say @, the digest is meant.
std::string meant(std::string_view text, const std::string& digest) {
  std::string out;
  for (const char c : text) c == '@' ? out += digest : out += c;
  return out;
}

bool is_open_to_all(const Request& request) {
  constexpr std::array<std::string_view, 7> k_open = {"/reports", "/manifest", "/round",    "/enroll",
                                                      "/healthz", "/live.js",  "/style.css"};
  return std::ranges::any_of(k_open, [&](std::string_view end) { return request.path.ends_with(end); }) ||
         (request.path == "/login" && request.method == "GET");
}

void look_at(const Request& request, const Reply& reply) {
  constexpr std::array<unsigned, 12> k_known = {200, 204, 303, 304, 400, 401, 404, 405, 409, 415, 429, 503};
  must(std::ranges::find(k_known, reply.status) != k_known.end());
  for (const auto& [name, value] : reply.headers) must((name + value).find_first_of("\r\n") == std::string::npos);
  must(is_open_to_all(request) || (reply.status >= 400 && !reply.events));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Server server;
  Taker take({data, size});
  const std::size_t piece = 1 + take.u8();
  const std::string text = meant(text_of(take.rest()), server.digest());
  std::optional<RequestParser> parser;
  begin_request(parser);
  parser->eager(true);
  std::string have;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    have += text.substr(at, piece);
    while (!have.empty()) {
      boost::beast::error_code failed;
      have.erase(0, parser->put(boost::asio::buffer(have), failed));
      if (failed == boost::beast::http::error::need_more) break;
      if (failed) {
        must(status_of(failed) >= 400);
        return 0;  // the server closes the connection
      }
      if (!parser->is_done()) continue;
      const bool keeps_open = parser->get().keep_alive();
      const Request request = request_of(*parser);
      must(request.body.size() <= k_batch_max_bytes);
      look_at(request, server.ask(request));
      if (!keeps_open) return 0;
      begin_request(parser);
      parser->eager(true);
    }
  }
  return 0;
}
