// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "say.hpp"
#include "sotto/analyzer/data/design_file.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>

#include <fmt/format.h>

#include "credentials.hpp"
#include "files.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/data/table.hpp"
#include "sotto/choices.hpp"
#include "study_directory.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto design`: stores the known features of a label study by pseudonym.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Result;

struct Options {
  std::string directory, features, credentials, id_column = "id";
  bool json = false;
};

/// The rows of a table as their devices hold them, by rising pseudonym.
class TableDesign final : public analyzer::PublicDesign {
 public:
  struct Row {
    std::uint64_t pseudonym;
    std::size_t at;  ///< row of the table
  };
  TableDesign(const analyzer::Table& table, std::vector<std::size_t> columns, std::vector<analyzer::Quantity> scales,
              std::vector<Row> rows)
      : table_(table), columns_(std::move(columns)), scales_(std::move(scales)), rows_(std::move(rows)) {
    std::ranges::sort(rows_, {}, &Row::pseudonym);
  }

  [[nodiscard]] std::uint64_t rows() const noexcept override { return rows_.size(); }
  [[nodiscard]] std::uint32_t features() const noexcept override { return static_cast<std::uint32_t>(columns_.size()); }
  [[nodiscard]] std::uint64_t pseudonym(std::uint64_t row) const override { return rows_[row].pseudonym; }
  bool read(std::uint64_t row, std::span<Q15> out) const override {
    const std::span<const float> numbers = table_.row(rows_[row].at);
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const analyzer::Quantity& scale = scales_[scales_.size() == 1 ? 0 : j];
      const double part = (static_cast<double>(numbers[columns_[j]]) - scale.offset) / scale.scale;
      out[j] = static_cast<Q15>(std::lround(std::clamp(part * 32768, -32768.0, 32767.0)));
    }
    return true;
  }

 private:
  const analyzer::Table& table_;
  std::vector<std::size_t> columns_;
  std::vector<analyzer::Quantity> scales_;
  std::vector<Row> rows_;
};

/// The pseudonym of each id, from the issuer's file.
Result<std::unordered_map<std::string, std::uint64_t>> read_pseudonyms(const std::string& path) {
  const Result<std::string> text = read_file(path, k_credentials_max);
  if (!text) return text.error();
  std::unordered_map<std::string, std::uint64_t> out;
  const Result<bool> has_checks = each_credential(text.value(), path, "design.bad_credentials",
                                                  [&out](const Credential& c, std::size_t) -> Result<analyzer::Done> {
                                                    // The later pseudonym counts for a re-issued id.
                                                    if (!c.id.empty()) out[c.id] = c.pseudonym;
                                                    return analyzer::Done{};
                                                  });
  if (!has_checks) return has_checks.error();
  if (!has_checks.value()) {
    complain(
        fmt::format("sotto: {} is of an earlier release and has no checks: a changed id would not be seen. "
                    "`sotto enrol` adds them with the next credential.\n",
                    path));
  }
  if (out.empty()) {
    return Error{"design.bad_credentials", "the file of credentials has no ids", path,
                 "enrol devices with --ids, so that rows can be matched to them"};
  }
  return out;
}

/// The table's column for each feature of the study.
Result<std::vector<std::size_t>> columns_of(const analyzer::Study& study, const analyzer::Table& table) {
  std::vector<std::size_t> out;
  const std::size_t features = study.regression->features;
  std::unordered_map<std::string_view, std::size_t> column_of;
  for (std::size_t i = 0; i < table.features.size(); ++i) column_of.emplace(table.features[i], i);
  for (std::size_t j = 0; j < features; ++j) {
    if (j >= study.features.size()) {  // the study states only their number
      out.push_back(j);
      continue;
    }
    const auto at = column_of.find(study.features[j]);
    if (at == column_of.end()) {
      return Error{"design.missing_feature", "the file has no column for a feature of the study", study.features[j],
                   "add the column; order does not matter"};
    }
    out.push_back(at->second);
  }
  if (study.features.empty() && table.features.size() != features) {
    return Error{"design.missing_feature", "the number of columns differs from the study's number of features",
                 fmt::format("{} and {}", table.features.size(), features),
                 "name the features in the study, or drop columns (meta_... are left alone)"};
  }
  return out;
}

int design(const Options& o) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  const Result<StudyDirectory> directory = open_study_directory(o.directory);
  if (!directory) return stop(directory.error());
  const Result<Manifest> manifest = analyzer::read_manifest(directory.value().manifest, o.directory + "/manifest.bin");
  if (!manifest) return stop(manifest.error());
  const auto& study = directory.value().study;
  if (!study || !study->regression || !study->regression->protocol->asks_labels) {
    return stop({"design.no_label_study", "only a label study has a design", o.directory,
                 fmt::format("write kind = \"{}\" in [protocol]",
                             analyzer::protocol_names([](const analyzer::ProtocolFacts& f) { return f.asks_labels; },
                                                      "\", \"", "\" or \""))});
  }
  const Result<analyzer::Table> table = analyzer::read_table(o.features, {o.id_column, ""});
  if (!table) return stop(table.error());
  Result<std::vector<std::size_t>> columns = columns_of(*study, table.value());
  if (!columns) return stop(columns.error());
  const auto pseudonyms = read_pseudonyms(o.credentials);
  if (!pseudonyms) return stop(pseudonyms.error());
  std::vector<TableDesign::Row> rows;
  std::uint64_t without_pseudonym = 0, without_record = 0;
  for (std::size_t user = 0; user < table.value().users.size(); ++user) {
    const auto at = pseudonyms.value().find(table.value().users[user]);
    if (at == pseudonyms.value().end()) {
      ++without_pseudonym;
      continue;
    }
    const std::uint32_t record = chosen_row({manifest.value().seed, at->second, 1}, manifest.value().nominal_rows);
    const std::uint64_t first = table.value().first_row[user], end = table.value().first_row[user + 1];
    if (first + record < end) {
      rows.push_back({at->second, first + record});
    } else {
      ++without_record;
    }
  }
  if (rows.empty() && without_record > 0) {
    return stop({"design.no_rows", "no enrolled id has the row that public coins choose among the study's samples",
                 fmt::format("samples = {}", manifest.value().nominal_rows),
                 "give each id all its rows, or write samples = 1 in [study] where each has one"});
  }
  if (rows.empty()) {
    return stop({"design.no_rows", "no id of the features file was enrolled", o.credentials,
                 fmt::format("check that column {} holds the ids that were enrolled", o.id_column)});
  }
  const std::size_t made = rows.size();
  const TableDesign all(table.value(), std::move(columns).value(), study->terms.quantities, std::move(rows));
  const std::filesystem::path path = directory.value().path / analyzer::k_design_name;
  if (const auto written = write_design(path, manifest_digest(manifest.value()), all); !written)
    return stop(written.error());
  if (o.json) {
    print_json({{"file", path.string()},
                {"rows", made},
                {"features", all.features()},
                {"without_pseudonym", without_pseudonym},
                {"without_record", without_record}});
    return done;
  }
  say("rows        {} of {} features, by pseudonym\n", made, all.features());
  if (without_pseudonym > 0) say("left out    {} ids without a pseudonym\n", without_pseudonym);
  if (without_record > 0) say("left out    {} ids without the record that public coins choose\n", without_record);
  say("file        {}\n", path.string());
  say("Whoever holds this file knows which row of features a label belongs to; epsilon protects the target alone.\n");
  return done;
}

}  // namespace

void add_design(CLI::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("design", "store the known features of a label study, by pseudonym");
  verb->add_option("DIR", o->directory, "directory of a compiled label study")->required();
  verb->add_option("FEATURES", o->features, "CSV, plain or gzip: a column of ids and one for each feature")->required();
  verb->add_option("--credentials", o->credentials, "the file that `sotto enrol --ids` wrote")->required();
  verb->add_option("--id-column", o->id_column, "the column of ids")->capture_default_str();
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->footer(
      "Writes DIR/design.bin, which `sotto estimate DIR` maps. Features are scaled as the study says, and an id with "
      "several rows "
      "stands for the\none that public coins choose, as its device does. The file identifies rows: keep it where the "
      "master key is kept.");
  verb->callback([o, &action] { action = [o] { return design(*o); }; });
}

}  // namespace sotto::cli
