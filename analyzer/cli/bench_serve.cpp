// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "bench.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/analyzer/serve/server.hpp"
#include "sotto/analyzer/store/run_store.hpp"
#include "stopwatch.hpp"
#include "talk.hpp"

// `sotto bench serve`: what a report costs the server, in processor time.
namespace sotto::cli {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

struct ServeBench {
  std::uint64_t stored = 10'000'000, batches = 4000, singles = 40'000;
  bool json = false;
};

constexpr const char* k_bench_study =
    "name = \"bench\"\n[privacy]\nepsilon = 4\n[study]\nminimum = 1\n[protocol]\nkind = \"cascade\"\n"
    "devices = 1000\nfeatures = 64\nsparsity = 4\n";
constexpr std::size_t k_batch_reports = 256;

/// A compiled study and its devices: sealed reports to round 1 of pseudonyms 1, 2, ... of the cohort that it asks.
class Fleet {
 public:
  Fleet()
      : study(must(analyzer::read_study(k_bench_study, "bench"))),
        compiled(must(analyzer::compile_study(study, analyzer::repeatable_seed(1)))),
        manifest_(must(analyzer::read_manifest(compiled.manifest, "bench"))),
        round_(must(analyzer::read_round(compiled.round, "bench"))),
        digest(manifest_digest(manifest_)),
        round_digest_(sotto::round_digest(round_)),
        keys_(master, digest) {
    const auto spec = must(analyzer::round_spec(manifest_, round_));
    payload_bytes_ = (analyzer::facts_of(spec).payload_bits + 7) / 8;
  }

  [[nodiscard]] Bytes next_report() {
    do {
      ++name_;
    } while (round_.cohort != k_every_cohort && cohort_of(manifest_, name_) != round_.cohort);
    Bytes report(report_bytes_of(payload_bytes_, true));
    encode_header({round_.question, true, round_.number, load_u32(digest.data()), name_},
                  std::span(report).first<k_header_bytes>());
    if (seal_report(keys_.key(name_), {digest, round_digest_}, report) != Status::ok)
      throw std::logic_error("a report cannot be sealed");
    return report;
  }
  [[nodiscard]] Bytes next_batch(std::size_t reports = k_batch_reports) {
    Bytes batch;
    for (std::size_t i = 0; i < reports; ++i) analyzer::append_report(batch, next_report());
    return batch;
  }

  MasterKey master{1, 2, 3};
  analyzer::Study study;
  analyzer::CompiledStudy compiled;

 private:
  Manifest manifest_;
  Round round_;

 public:
  Digest digest;

 private:
  Digest round_digest_;
  analyzer::StudyKeys keys_;
  std::size_t payload_bytes_ = 0;
  std::uint64_t name_ = 0;
};

/// A directory that is removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "sotto-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary directory");
    path = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

double absorb_rate(Fleet& fleet) {
  constexpr std::size_t k_batches = 400;
  const auto collector =
      must(analyzer::Collector::open(fleet.compiled.manifest, fleet.master, std::make_unique<analyzer::MemoryIndex>()));
  must(collector->open_round(fleet.compiled.round));
  std::vector<Bytes> batches;
  for (std::size_t i = 0; i < k_batches; ++i) batches.push_back(fleet.next_batch());
  const double begin = processor_seconds();
  for (const Bytes& batch : batches) (void)collector->absorb_batch(batch);
  const double spent = processor_seconds() - begin;
  if (collector->counts()[analyzer::Reason::accepted] != k_batches * k_batch_reports)
    throw std::logic_error("reports were refused");
  return static_cast<double>(k_batches * k_batch_reports) / spent;
}

struct Growth {
  double ratio = 0, bytes = 0;
};

/// The cost of a stored report at 100,000 and at `stored` of them, and the memory of the index then.
Growth growth(Fleet& fleet, std::uint64_t stored) {
  const Scratch scratch;
  const auto store = must(analyzer::RunStore::create(scratch.path / "run.sqlite", fleet.compiled.manifest, "{}"));
  must(store->add_round(fleet.compiled.round));
  const auto collector = must(analyzer::Collector::open(fleet.compiled.manifest, fleet.master, store->index()));
  must(collector->open_round(fleet.compiled.round));
  constexpr std::size_t k_group = 16, k_group_reports = k_group * k_batch_reports, k_measured = 100'000;
  double spent = 0;
  const auto add = [&](std::uint64_t reports) {
    spent = 0;
    std::uint64_t done = 0;
    for (; done < reports; done += k_group_reports) {
      std::vector<Bytes> batches;
      for (std::size_t i = 0; i < k_group; ++i) batches.push_back(fleet.next_batch());
      const std::vector<std::span<const std::uint8_t>> requests(batches.begin(), batches.end());
      const double begin = processor_seconds();
      must(store->add_group(*collector, 1, requests));
      spent += processor_seconds() - begin;
    }
    return spent / static_cast<double>(done);
  };
  (void)add(k_measured);
  const double early = add(k_measured);
  if (stored > 3 * k_measured) (void)add(stored - 3 * k_measured);
  const double late = add(k_measured);
  const auto readings = static_cast<double>(must(store->counts())[analyzer::Reason::accepted]);
  return {late / early, static_cast<double>(store->index_bytes()) / readings};
}

/// One kept connection to the server.
class Line {
 public:
  explicit Line(std::uint16_t port) : file_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(file_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
      throw std::runtime_error("cannot connect to the server");
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line() { ::close(file_); }

  void send(const std::string& text) const {
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t sent = ::send(file_, text.data() + at, text.size() - at, MSG_NOSIGNAL);
      if (sent <= 0) throw std::runtime_error("the server closed a connection");
      at += static_cast<std::size_t>(sent);
    }
  }
  /// Reads one answer, which must be 200.
  void receive() {
    for (;;) {
      const std::size_t head = have_.find("\r\n\r\n");
      if (head != std::string::npos) {
        if (!have_.starts_with("HTTP/1.1 200")) throw std::runtime_error("not stored: " + have_.substr(0, 40));
        const std::size_t at = have_.find("Content-Length: ");
        const std::size_t all = head + 4 + std::stoul(have_.substr(at + 16));
        if (have_.size() >= all) {
          have_.erase(0, all);
          return;
        }
      }
      char some[4096];
      const ssize_t got = ::recv(file_, some, sizeof some, 0);
      if (got <= 0) throw std::runtime_error("the server closed a connection");
      have_.append(some, static_cast<std::size_t>(got));
    }
  }

 private:
  int file_;
  std::string have_;
};

/// Reports that a second of the server's processor time takes and makes durable, over loopback.
double served_rate(Fleet& fleet, std::uint64_t requests, std::size_t reports_each) {
  const Scratch scratch;
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("cannot make a pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    std::vector<analyzer::ServedStudy> studies;
    studies.push_back(
        {fleet.study, fleet.compiled.manifest, fleet.master, nullptr, "sotto bench serve", scratch.path, {}});
    analyzer::ServerOptions options;
    options.ready = [&ends](const std::string& address) {
      const std::string port = address.substr(address.rfind(':') + 1) + "\n";
      (void)!::write(ends[1], port.data(), port.size());
    };
    options.log = [](std::string_view) {};
    const auto served = analyzer::serve(std::move(studies), options);
    ::_exit(served ? 0 : 1);
  }
  ::close(ends[1]);
  char text[16] = {};
  const bool is_ready = ::read(ends[0], text, sizeof text - 1) > 0;
  ::close(ends[0]);
  if (is_ready) {
    constexpr std::size_t k_lines = 64;
    std::vector<std::unique_ptr<Line>> lines;
    for (std::size_t i = 0; i < k_lines; ++i)
      lines.push_back(std::make_unique<Line>(static_cast<std::uint16_t>(std::stoul(text))));
    const std::string path = "/v1/studies/" + analyzer::hex_text(fleet.digest) + "/reports";
    for (std::uint64_t done = 0; done < requests; done += k_lines) {
      for (const auto& line : lines) {
        const Bytes body = reports_each == 1 ? fleet.next_report() : fleet.next_batch(reports_each);
        std::string request =
            fmt::format("POST {} HTTP/1.1\r\nHost: bench\r\nContent-Length: {}\r\n\r\n", path, body.size());
        request.append(body.begin(), body.end());
        line->send(request);
      }
      for (const auto& line : lines) line->receive();
    }
  }
  ::kill(child, SIGTERM);
  int ended = 0;
  struct rusage used {};
  ::wait4(child, &ended, 0, &used);
  if (!is_ready || ended != 0) throw std::runtime_error("the server failed");
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return static_cast<double>(requests * reports_each) / (seconds(used.ru_utime) + seconds(used.ru_stime));
}

int bench_serve(const ServeBench& o) {
  Fleet fleet;
  const double absorb = absorb_rate(fleet);
  const double batched = served_rate(fleet, o.batches, k_batch_reports), single = served_rate(fleet, o.singles, 1);
  const Growth grown = growth(fleet, o.stored);
  if (o.json) {
    print_json({{"durable_per_core", {{"batch_256", batched}, {"single", single}}},
                {"absorb_per_core", absorb},
                {"growth", grown.ratio},
                {"bytes_per_report", grown.bytes},
                {"stored", o.stored}});
    return done;
  }
  say("reports a second of processor time\n");
  say("  absorbed in memory             {:>10.0f}\n", absorb);
  say("  stored, posted in batches      {:>10.0f}   of {}, over loopback, the server's time alone\n", batched,
      k_batch_reports);
  say("  stored, posted one by one      {:>10.0f}   on kept connections\n", single);
  say("cost at {} stored            {:>10.2f}   times that at 100000\n", o.stored, grown.ratio);
  say("memory of the index              {:>10.1f}   bytes a report\n", grown.bytes);
  return done;
}

}  // namespace

void add_bench_serve(CLI::App& bench, Action& action) {
  auto o = std::make_shared<ServeBench>();
  CLI::App* table = bench.add_subcommand("serve", "what a report costs the server that collects it");
  table->add_option("--stored", o->stored, "reports at which growth is measured")->capture_default_str();
  table->add_option("--batches", o->batches, "batches that are posted")->capture_default_str();
  table->add_option("--singles", o->singles, "reports that are posted one by one")->capture_default_str();
  table->add_flag("--json", o->json, "one JSON object on stdout");
  table->callback([o, &action] { action = [o] { return bench_serve(*o); }; });
}

}  // namespace sotto::cli
