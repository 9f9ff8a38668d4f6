// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "cluster_view.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace sotto::analyzer {
namespace {

using html::Html;
using html::markup;

}  // namespace

Html cluster_section(const ClusterView& view) {
  Html brokers, partitions;
  for (const LogNode& node : view.nodes) {
    brokers += markup(
        "<tr><th>{}</th><td data-name=\"name\">{}</td><td data-name=\"version\">{}</td>"
        "<td data-name=\"state\">{}</td></tr>\n",
        node.address, node.name, node.version, node.is_reached ? "there" : "away");
  }
  for (std::size_t p = 0; p < view.partitions.size(); ++p) {
    const PartitionView& one = view.partitions[p];
    partitions += markup(
        "<tr><th>{}</th><td class=\"n\" data-name=\"last\">{}</td><td class=\"n\" data-name=\"lag\" "
        "id=\"lag-{}\">{}</td>"
        "<td class=\"n\" data-name=\"accepted\">{}</td><td data-name=\"worker\">{}</td></tr>\n",
        p, one.last, p, one.lag(), one.accepted, one.worker.empty() ? "nobody" : one.worker);
  }
  Html out =
      markup("<section id=\"cluster\"><h2>The log</h2>\n<p>Reports are acknowledged when {} has stored them.</p>\n",
             view.engine);
  if (!view.is_answering) out += "<p class=\"verdict cannot\" role=\"alert\">The log does not answer.</p>\n";
  if (!view.warning.empty())
    out += markup("<p class=\"verdict cannot\" id=\"log-warning\" role=\"note\">{}</p>\n", view.warning);
  if (!view.nodes.empty()) {
    out += markup(
        "<table><thead><tr><th>broker</th><th>name</th><th>version</th><th>state</th></tr></thead>"
        "<tbody id=\"brokers\">{}</tbody></table>\n",
        brokers);
  }
  return out + markup(
                   "<table><thead><tr><th>partition</th><th class=\"n\">entries</th><th class=\"n\">lag</th>"
                   "<th class=\"n\">accepted in this round</th><th>worker</th></tr></thead>"
                   "<tbody id=\"partitions\">{}</tbody></table></section>\n",
                   partitions);
}

nlohmann::json cluster_object(const ClusterView& view) {
  nlohmann::json nodes = nlohmann::json::array(), partitions = nlohmann::json::array();
  for (const LogNode& node : view.nodes) {
    nodes.push_back(
        {{"address", node.address}, {"name", node.name}, {"version", node.version}, {"is_reached", node.is_reached}});
  }
  for (const PartitionView& one : view.partitions) {
    partitions.push_back({{"entries", one.last},
                          {"applied", one.applied},
                          {"lag", one.lag()},
                          {"accepted", one.accepted},
                          {"worker", one.worker.empty() ? nlohmann::json() : nlohmann::json(one.worker)}});
  }
  return {{"engine", view.engine}, {"warning", view.warning},  {"is_answering", view.is_answering},
          {"brokers", nodes},      {"partitions", partitions}, {"workers", view.workers}};
}

std::string cluster_metrics(const std::vector<std::pair<std::string, std::shared_ptr<const ClusterView>>>& studies) {
  if (std::ranges::none_of(studies, [](const auto& one) { return one.second != nullptr; })) return {};
  std::string lag =
                  "# HELP sotto_partition_lag Entries of the log that are not in the sums yet.\n"
                  "# TYPE sotto_partition_lag gauge\n",
              entries = "# HELP sotto_partition_entries Entries of the log.\n# TYPE sotto_partition_entries gauge\n",
              owned =
                  "# HELP sotto_partition_owned 1 where a worker replays the partition.\n"
                  "# TYPE sotto_partition_owned gauge\n",
              brokers = "# HELP sotto_broker_up 1 where the broker answers.\n# TYPE sotto_broker_up gauge\n",
              answers =
                  "# HELP sotto_log_up 1 where the log answered when it was asked last.\n"
                  "# TYPE sotto_log_up gauge\n";
  for (const auto& [study, view] : studies) {
    if (!view) continue;
    for (std::size_t p = 0; p < view->partitions.size(); ++p) {
      const PartitionView& one = view->partitions[p];
      const std::string labels = fmt::format("{{study=\"{}\",partition=\"{}\"}}", study, p);
      lag += fmt::format("sotto_partition_lag{} {}\n", labels, one.lag());
      entries += fmt::format("sotto_partition_entries{} {}\n", labels, one.last);
      owned += fmt::format("sotto_partition_owned{} {}\n", labels, one.worker.empty() ? 0 : 1);
    }
    for (const LogNode& node : view->nodes) {
      brokers += fmt::format("sotto_broker_up{{study=\"{}\",broker=\"{}\"}} {}\n", study, node.address,
                             node.is_reached ? 1 : 0);
    }
    answers += fmt::format("sotto_log_up{{study=\"{}\"}} {}\n", study, view->is_answering ? 1 : 0);
  }
  return lag + entries + owned + brokers + answers;
}

}  // namespace sotto::analyzer
