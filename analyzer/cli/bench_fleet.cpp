// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "bench.hpp"
#include "child_process.hpp"
#include "cluster_verbs.hpp"
#include "files.hpp"
#include "http_line.hpp"
#include "local_cluster.hpp"
#include "master_key.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/crypto/report_seal.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/analyzer/ingest/collector.hpp"
#include "study_directory.hpp"
#include "talk.hpp"

// `sotto bench fleet`: durable reports a second through a cluster on this machine, beside those of one process.
namespace sotto::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct FleetBench {
  std::uint64_t reports = 300'000;
  std::uint32_t partitions = 4, gateways = 2;
  std::vector<std::uint32_t> workers{1, 2, 4};
  std::string broker = "nats-server";
  bool json = false;
};

constexpr std::uint64_t k_chunk = 100'000;
constexpr std::size_t k_bench_batch = 256, k_bench_lines = 8;
constexpr const char* k_fleet_study =
    "name = \"bench\"\n[privacy]\nepsilon = 4\n[study]\nminimum = 1\n[protocol]\nkind = \"cascade\"\n"
    "devices = 1000\nfeatures = 64\nsparsity = 4\n";

class BenchDirectory {
 public:
  BenchDirectory() {
    std::string name = (fs::temp_directory_path() / "sotto-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary directory");
    path = name;
  }
  BenchDirectory(const BenchDirectory&) = delete;
  BenchDirectory& operator=(const BenchDirectory&) = delete;
  ~BenchDirectory() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

/// Sealed reports to round 1 of pseudonyms 1, 2, ... of the cohort that it asks.
class SealedReports {
 public:
  explicit SealedReports(const std::string& directory)
      : study_(must(open_study_directory(directory))),
        manifest_(must(analyzer::read_manifest(study_.manifest, "bench"))),
        round_(must(analyzer::read_round(study_.rounds.front(), "bench"))),
        digest_(manifest_digest(manifest_)),
        round_digest_(sotto::round_digest(round_)),
        keys_(must(load_or_draw_master_key(directory)).get(), digest_) {
    payload_bytes_ = (analyzer::facts_of(must(analyzer::round_spec(manifest_, round_))).payload_bits + 7) / 8;
  }
  void again() { name_ = 0; }
  [[nodiscard]] std::string digest() const { return analyzer::hex_text(digest_); }
  /// So many reports as the bodies of requests.
  [[nodiscard]] std::vector<std::string> bodies(std::uint64_t reports) {
    std::vector<std::string> out;
    for (std::uint64_t done = 0; done < reports;) {
      Bytes batch;
      for (std::size_t i = 0; i < k_bench_batch && done < reports; ++i, ++done) analyzer::append_report(batch, next());
      out.emplace_back(batch.begin(), batch.end());
    }
    return out;
  }

 private:
  [[nodiscard]] Bytes next() {
    do {
      ++name_;
    } while (round_.cohort != k_every_cohort && cohort_of(manifest_, name_) != round_.cohort);
    Bytes report(report_bytes_of(payload_bytes_, true));
    encode_header({round_.question, true, round_.number, load_u32(digest_.data()), name_},
                  std::span(report).first<k_header_bytes>());
    if (seal_report(keys_.key(name_), {digest_, round_digest_}, report) != Status::ok)
      throw std::logic_error("a report cannot be sealed");
    return report;
  }
  StudyDirectory study_;
  Manifest manifest_;
  Round round_;
  Digest digest_, round_digest_;
  analyzer::StudyKeys keys_;
  std::size_t payload_bytes_ = 0;
  std::uint64_t name_ = 0;
};

StudyAddress address_of(const std::string& url) { return must(read_study_address(url)); }

/// Posts all bodies, a part of them on each line; every one must be acknowledged.
void post_all(const std::vector<std::string>& urls, const std::vector<std::string>& bodies) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> is_refused{false};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < k_bench_lines; ++i) {
    threads.emplace_back([&, i] {
      const StudyAddress to = address_of(urls[i % urls.size()]);
      HttpLine line(to.host, to.port);
      for (std::size_t at = 0; (at = next++) < bodies.size();) {
        HttpReply reply;
        for (int tries = 0; tries < 20; ++tries) {
          reply = line.ask("POST", to.path + "/reports", bodies[at]);
          if (reply.status == 200 || reply.status == 202) break;
          std::this_thread::sleep_for(std::chrono::milliseconds(200));
        }
        if (reply.status != 200 && reply.status != 202) is_refused = true;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (is_refused) throw std::runtime_error("reports were not acknowledged");
}

/// Accepted reports of the open round, as the operator is told.
std::uint64_t accepted_of(const std::string& url, const std::string& token) {
  const StudyAddress to = address_of(url);
  HttpLine line(to.host, to.port);
  line.authorize(token);
  const HttpReply reply = line.ask("GET", to.path + "/status");
  const Json json = Json::parse(reply.body, nullptr, false);
  if (reply.status != 200 || !json.is_object()) throw std::runtime_error("the status cannot be read");
  return json["reports"]["used"].get<std::uint64_t>();
}

struct Measured {
  double per_second = 0, microseconds = 0, growth = 0;
};

/// Posts chunk by chunk until all are in the sums. `processor` gives the processor time that the servers took so far.
template <class Processor>
Measured measure(SealedReports& reports, std::uint64_t count, const std::vector<std::string>& urls,
                 const std::string& token, const Processor& processor) {
  reports.again();
  double seconds = 0, all = 0, early = 0, late = 0;
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t chunk = std::min(k_chunk, count - done);
    const std::vector<std::string> bodies = reports.bodies(chunk);
    const double before = processor();
    const auto begin = Clock::now();
    post_all(urls, bodies);
    const auto until = begin + std::chrono::minutes(10);
    while (accepted_of(urls.front(), token) < done + chunk) {
      if (Clock::now() > until) throw std::runtime_error("the reports did not come to the sums");
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    const double spent = processor() - before;
    all += spent;
    // The first chunk warms everything up.
    if (done == k_chunk || count < 3 * k_chunk) early = spent / static_cast<double>(chunk);
    late = spent / static_cast<double>(chunk);
    done += chunk;
  }
  return {static_cast<double>(count) / seconds, 1e6 * all / static_cast<double>(count), early > 0 ? late / early : 1};
}

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

Measured one_process(SealedReports& reports, const FleetBench& o, const fs::path& work, const std::string& study) {
  ChildProcess server =
      must(ChildProcess::start({own_program(), "serve", study, "--listen", "127.0.0.1:0", "--data",
                                (work / "alone").string(), "--operator-token-file", (work / "alone.token").string()},
                               work / "alone.log", true));
  const std::string line = server.line(std::chrono::seconds(60));
  constexpr std::string_view k_listening = "listening on ";
  if (!line.starts_with(k_listening)) throw std::runtime_error("the server does not come up: " + line);
  const Measured out =
      measure(reports, o.reports, {line.substr(k_listening.size()) + "/v1/studies/" + reports.digest()},
              first_line(work / "alone.token"), [&server] { return server.processor_seconds(); });
  server.ask_to_end();
  server.end(std::chrono::seconds(30));
  return out;
}

int bench_fleet(const FleetBench& o) {
  const BenchDirectory work;
  const std::string study = (work.path / "study").string();
  std::ofstream(work.path / "study.toml") << k_fleet_study;
  ChildProcess made = must(ChildProcess::start(
      {own_program(), "study", (work.path / "study.toml").string(), "--out", study}, work.path / "study.log"));
  made.end(std::chrono::seconds(60));
  SealedReports reports(study);
  const Measured alone = one_process(reports, o, work.path, study);
  std::map<std::uint32_t, Measured> by_workers;
  for (const std::uint32_t workers : o.workers) {
    LocalClusterOptions options;
    options.directory = work.path / fmt::format("workers-{}", workers);
    options.study = study;
    options.broker = o.broker;
    options.workers = workers;
    options.gateways = o.gateways;
    options.partitions = o.partitions;
    LocalCluster cluster = must(LocalCluster::start(options));
    by_workers[workers] = measure(reports, o.reports, cluster.gateways(), first_line(cluster.token_file()),
                                  [&cluster] { return cluster.processor_seconds(); });
    cluster.stop();
  }
  const auto two = by_workers.find(2);
  const Measured& own = two == by_workers.end() ? by_workers.begin()->second : two->second;
  Json workers = Json::object();
  for (const auto& [count, one] : by_workers) {
    workers[std::to_string(count)] = {
        {"durable_per_second", one.per_second}, {"microseconds", one.microseconds}, {"growth", one.growth}};
  }
  if (o.json) {
    print_json({{"durable_per_second", own.per_second},
                {"ratio_to_one_process", own.per_second / alone.per_second},
                {"growth", own.growth},
                {"microseconds", own.microseconds},
                {"one_process", {{"durable_per_second", alone.per_second}, {"microseconds", alone.microseconds}}},
                {"by_workers", workers},
                {"partitions", o.partitions},
                {"gateways", o.gateways},
                {"brokers", 3},
                {"reports", o.reports}});
    return done;
  }
  say("durable reports a second, posted in batches of {} and waited for until they are in the sums\n", k_bench_batch);
  say("  one process                {:>10.0f}   {:.2f} us of processor time each\n", alone.per_second,
      alone.microseconds);
  for (const auto& [count, one] : by_workers) {
    say("  3 brokers, {} workers       {:>10.0f}   {:.2f} us, {:.2f} of one process; the last {} cost {:.2f} of the "
        "second\n",
        count, one.per_second, one.microseconds, one.per_second / alone.per_second, k_chunk, one.growth);
  }
  return done;
}

}  // namespace

void add_bench_fleet(CLI::App& bench, Action& action) {
  auto o = std::make_shared<FleetBench>();
  CLI::App* table = bench.add_subcommand("fleet", "a cluster on this machine, beside one process");
  table->add_option("--reports", o->reports, "reports through each")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{1000}, std::uint64_t{100'000'000}));
  table->add_option("--workers", o->workers, "numbers of workers")->delimiter(',')->check(CLI::Range(1u, 64u));
  table->add_option("--partitions", o->partitions, "partitions of the log")->capture_default_str();
  table->add_option("--gateways", o->gateways, "processes that take reports")->capture_default_str();
  table->add_option("--nats-server", o->broker, "the program of the brokers")->capture_default_str();
  table->add_flag("--json", o->json, "one JSON object on stdout");
  table->callback([o, &action] { action = [o] { return bench_fleet(*o); }; });
}

}  // namespace sotto::cli
