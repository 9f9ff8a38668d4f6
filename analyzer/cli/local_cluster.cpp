// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "local_cluster.hpp"

#include <algorithm>
#include <fstream>
#include <thread>

#include <fmt/format.h>

#include "http_line.hpp"
#include "owner_only.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "study_directory.hpp"

namespace sotto::cli {
namespace {

namespace fs = std::filesystem;
using analyzer::Done;
using analyzer::Error;
using analyzer::Result;

constexpr std::chrono::seconds k_gateway_wait{60}, k_round_wait{60}, k_end_wait{30};

Error not_ready(std::string_view name, std::string said) {
  return {"fleet.not_ready", fmt::format("{} does not come up", name), std::move(said),
          "see its log in the directory of --dir"};
}

std::string last_lines(const fs::path& path) {
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  return text.substr(text.size() > 600 ? text.size() - 600 : 0);
}

}  // namespace

Result<LocalCluster> LocalCluster::start(const LocalClusterOptions& options) {
  LocalCluster cluster(options);
  if (const auto begun = cluster.begin(); !begun) return begun.error();
  return cluster;
}

Result<Done> LocalCluster::begin() {
  const OwnerOnly owner_only;
  const Result<StudyDirectory> study = open_study_directory(options_.study);
  if (!study) return study.error();
  const Result<Manifest> manifest = analyzer::read_manifest(study.value().manifest, options_.study + "/manifest.bin");
  if (!manifest) return manifest.error();
  digest_ = analyzer::hex_text(manifest_digest(manifest.value()));
  std::error_code failed;
  fs::create_directories(options_.directory, failed);
  if (failed) {
    return Error{"io.cannot_write", "cannot make the directory: " + failed.message(), options_.directory.string(),
                 "check the directory and its rights"};
  }
  for (const auto step : {&LocalCluster::start_brokers, &LocalCluster::start_gateways, &LocalCluster::start_workers}) {
    if (const auto done = (this->*step)(); !done) return done;
  }
  return Done{};
}

std::string LocalCluster::broker_config(std::size_t i, const std::vector<std::uint16_t>& ports) const {
  const std::size_t nodes = options_.nodes;
  const fs::path store = fs::absolute(options_.directory) / fmt::format("n{}", i + 1);
  // A stream's max_bytes is reserved when it is made; the bucket of keys is one more.
  const std::uint64_t room = options_.partitions * options_.partition_megabytes * 5 / 4 + 1024;
  std::string text = fmt::format(
      "server_name: n{}\nlisten: 127.0.0.1:{}\nmax_payload: 128KB\n"
      "jetstream {{ store_dir: \"{}\", max_mem: 256M, max_file: {}M }}\n",
      i + 1, ports[i], store.string(), room);
  if (nodes == 1) return text;
  std::string routes;
  for (std::size_t j = 0; j < nodes; ++j)
    routes += fmt::format("{}nats://127.0.0.1:{}", j == 0 ? "" : ", ", ports[nodes + j]);
  return text +
         fmt::format("cluster {{ name: sotto, listen: 127.0.0.1:{}, routes: [{}] }}\n", ports[nodes + i], routes);
}

Result<Done> LocalCluster::start_brokers() {
  const Result<std::vector<std::uint16_t>> ports = free_ports(2 * options_.nodes);
  if (!ports) return ports.error();
  for (std::size_t i = 0; i < options_.nodes; ++i) {
    const std::string name = fmt::format("n{}", i + 1);
    const fs::path config = options_.directory / (name + ".conf");
    std::ofstream(config) << broker_config(i, ports.value());
    Result<ChildProcess> started =
        ChildProcess::start({options_.broker, "-c", config.string()}, options_.directory / (name + ".log"));
    if (!started) return started.error();
    const std::string address = fmt::format("nats://127.0.0.1:{}", ports.value()[i]);
    log_ += (log_.empty() ? "" : ",") + address;
    brokers_.push_back({name, address, config, std::move(started).value()});
  }
  for (std::size_t i = 0; i < options_.nodes; ++i) {
    for (int tries = 0;; ++tries) {
      if (is_listened_on(ports.value()[i])) break;
      if (!brokers_[i].process.is_running() || tries > 200) {
        return not_ready(options_.broker, brokers_[i].process.is_running()
                                              ? last_lines(options_.directory / (brokers_[i].name + ".log"))
                                              : "it ended; is nats-server installed?");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  return Done{};
}

Result<Done> LocalCluster::start_gateways() {
  for (std::size_t i = 0; i < options_.gateways; ++i) {
    const std::string name = fmt::format("gateway-{}", i + 1);
    const fs::path log = options_.directory / (name + ".log");
    std::vector<std::string> command{own_program(),
                                     "serve",
                                     options_.study,
                                     "--listen",
                                     "127.0.0.1:0",
                                     "--data",
                                     (options_.directory / name).string(),
                                     "--operator-token-file",
                                     token_file().string(),
                                     "--log",
                                     log_,
                                     "--run",
                                     options_.run,
                                     "--partitions",
                                     std::to_string(options_.partitions),
                                     "--replicas",
                                     std::to_string(options_.nodes),
                                     "--partition-megabytes",
                                     std::to_string(options_.partition_megabytes)};
    if (options_.target > 0) command.insert(command.end(), {"--target", std::to_string(options_.target)});
    if (options_.deadline > 0) command.insert(command.end(), {"--deadline", std::to_string(options_.deadline)});
    Result<ChildProcess> started = ChildProcess::start(command, log, true);
    if (!started) return started.error();
    gateways_.push_back({name, "", {}, std::move(started).value()});
    constexpr std::string_view k_listening = "listening on ";
    std::string line, said;
    do {
      line = gateways_.back().process.line(k_gateway_wait);
      said += line + "\n";
    } while (!line.empty() && !line.starts_with(k_listening));
    if (line.empty()) return not_ready(name, said);
    gateways_.back().address = line.substr(k_listening.size());
    addresses_.push_back(gateways_.back().address + "/v1/studies/" + digest_);
  }
  return Done{};
}

Result<Done> LocalCluster::start_workers() {
  for (std::size_t i = 0; i < options_.workers; ++i) {
    const std::string name = fmt::format("worker-{}", i + 1);
    Result<ChildProcess> started =
        ChildProcess::start({own_program(), "work", options_.study, "--data", (options_.directory / name).string(),
                             "--log", log_, "--run", options_.run, "--name", name},
                            options_.directory / (name + ".log"));
    if (!started) return started.error();
    workers_.push_back({name, "", {}, std::move(started).value()});
  }
  const auto until = std::chrono::steady_clock::now() + k_round_wait;
  for (std::size_t i = 0; i < gateways_.size(); ++i) {
    const Result<StudyAddress> address = read_study_address(addresses_[i]);
    if (!address) return address.error();
    HttpLine line(address.value().host, address.value().port);
    // 204 as well: a run that is finished is shown, and asks nothing.
    while (line.ask("GET", address.value().path + "/round").status != 200) {
      if (std::chrono::steady_clock::now() > until || !gateways_[i].process.is_running())
        return not_ready(gateways_[i].name, last_lines(options_.directory / (gateways_[i].name + ".log")));
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  return Done{};
}

void LocalCluster::stop(std::vector<Member>& members, std::chrono::seconds wait) {
  for (const Member& member : members) member.process.ask_to_end();
  for (Member& member : members) member.process.end(wait);
  members.clear();
}

void LocalCluster::stop() {
  stop(gateways_, k_end_wait);
  stop(workers_, k_end_wait);
  stop(brokers_, k_end_wait);
}

double LocalCluster::processor_seconds() const {
  double sum = 0;
  for (const auto* members : {&brokers_, &gateways_, &workers_}) {
    for (const Member& member : *members) sum += member.process.processor_seconds();
  }
  return sum;
}

std::vector<std::string> LocalCluster::lost() {
  std::vector<std::string> names;
  for (auto* members : {&brokers_, &gateways_, &workers_}) {
    for (Member& member : *members) {
      if (member.is_lost || member.process.is_running()) continue;
      member.is_lost = true;
      names.push_back(member.name);
    }
  }
  return names;
}

Json LocalCluster::facts() const {
  const auto list = [](const std::vector<Member>& members) {
    Json out = Json::array();
    for (const Member& member : members) {
      Json one = {{"name", member.name}, {"pid", member.process.pid()}};
      if (!member.address.empty()) one["address"] = member.address;
      if (!member.config.empty()) one["config"] = member.config.string();
      out.push_back(one);
    }
    return out;
  };
  return {{"study_digest", digest_},           {"log", log_},
          {"partitions", options_.partitions}, {"gateways", list(gateways_)},
          {"addresses", addresses_},           {"workers", list(workers_)},
          {"brokers", list(brokers_)},         {"operator_token_file", token_file().string()}};
}

}  // namespace sotto::cli
