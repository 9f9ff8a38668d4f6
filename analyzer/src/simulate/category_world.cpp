// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sotto/analyzer/math/xoshiro.hpp"
#include "sotto/analyzer/simulate/everyday_world.hpp"
#include "sotto/analyzer/simulate/study_text.hpp"
#include "sotto/analyzer/text/printable.hpp"

// Fleets of category, crosstab and top.
namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_table_rows = 8, k_table_columns = 12;  // of a simulated cross-tab
constexpr std::uint32_t k_items_that_exist = 100000;  // that exist for a simulated list of the most common ones
constexpr std::uint64_t k_margin_stream = ~std::uint64_t{0}, k_item_stream = std::uint64_t{1} << 63;
constexpr std::size_t k_ranked = 10;

/// A law over things numbered from 0, from which each device draws one.
class Law {
 public:
  Law() = default;
  explicit Law(const std::vector<double>& weights) {
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    double sum = 0;
    for (const double w : weights) upto_.push_back((sum += w) / total);
  }
  [[nodiscard]] std::size_t draw(double unit) const {
    return std::min(static_cast<std::size_t>(std::ranges::upper_bound(upto_, unit) - upto_.begin()), upto_.size() - 1);
  }
  [[nodiscard]] double share(std::size_t i) const { return upto_[i] - (i == 0 ? 0 : upto_[i - 1]); }
  [[nodiscard]] std::size_t size() const { return upto_.size(); }

 private:
  std::vector<double> upto_;
};

std::vector<double> zipf_weights(std::size_t count, double exponent) {
  std::vector<double> out;
  for (std::size_t i = 1; i <= count; ++i) out.push_back(std::pow(static_cast<double>(i), -exponent));
  return out;
}

std::string begin_study(const EverydayOptions& o, std::uint64_t devices) {
  return fmt::format(
      "# A simulated fleet.\nname = \"simulated-{0}\"\n\n[privacy]\nepsilon = {1}\n\n[study]\nminimum = 1\n\n"
      "[question]\nkind = \"{0}\"\ndevices = {2}\nsource = \"truth\"\n",
      o.kind, o.epsilon, devices);
}

std::string name_list(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(in_quotes(name));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

/// A whole number of 64 bits, decimal or 0x...
std::optional<std::uint64_t> read_id(const std::string& word) {
  const bool is_hex = word.starts_with("0x");
  const char* const first = word.data() + (is_hex ? 2 : 0);
  std::uint64_t id = 0;
  const auto [end, status] = std::from_chars(first, word.data() + word.size(), id, is_hex ? 16 : 10);
  if (status != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return id;
}

/// Everything that the devices of a file say, and the number of each device's word; a missing one is none of them.
struct Said {
  std::vector<std::string> words;
  std::vector<std::uint32_t> of_device;
};

Said said_in(const WordRows& rows, std::size_t column) {
  std::map<std::string, std::uint32_t> numbers;
  for (const auto& row : rows) {
    if (!row[column].empty()) numbers.emplace(row[column], 0);
  }
  Said out;
  for (auto& [word, number] : numbers) {
    number = static_cast<std::uint32_t>(out.words.size());
    out.words.push_back(word);
  }
  for (const auto& row : rows)
    out.of_device.push_back(row[column].empty() ? ~std::uint32_t{0} : numbers.at(row[column]));
  return out;
}

/// Devices in categories, or in the cells of a table.
class CategoryWorld final : public EverydayWorld {
 public:
  explicit CategoryWorld(const EverydayOptions& options) : options_(options), is_table_(options.kind == "crosstab") {
    if (options.words != nullptr)
      take_words();
    else if (is_table_)
      make_table();
    else
      make_list();
  }

  [[nodiscard]] std::uint32_t features() const noexcept override { return static_cast<std::uint32_t>(truth_.size()); }
  [[nodiscard]] std::uint64_t devices() const noexcept override {
    return options_.words != nullptr ? options_.words->size() : options_.devices;
  }
  void read(std::uint64_t device, DeviceRows& out) const override {
    out.rows = 0;
    if (options_.words != nullptr) {
      out.given = said_[device];
      return;
    }
    Xoshiro random(options_.seed, device);
    out.given = is_empty(options_, device) ? ~std::uint32_t{0} : static_cast<std::uint32_t>(law_.draw(random.unit()));
  }
  [[nodiscard]] std::string study() const override;
  [[nodiscard]] NamedErrors measure(const Everyday& estimated) const override;

 private:
  void make_list();
  void make_table();
  void take_words();
  [[nodiscard]] std::string cell_name(std::size_t i) const {
    return is_table_ ? rows_[i / columns_.size()] + " / " + columns_[i % columns_.size()] : names_[i];
  }

  EverydayOptions options_;
  bool is_table_;
  Law law_;
  std::vector<std::string> names_, rows_, columns_;
  std::vector<double> truth_;        // of each category or cell
  std::vector<std::uint32_t> said_;  // by the devices of a file
};

void CategoryWorld::make_list() {
  law_ = Law(zipf_weights(options_.categories, options_.zipf));
  for (std::size_t i = 0; i < law_.size(); ++i) {
    names_.push_back(fmt::format("category {}", i + 1));
    truth_.push_back((1 - options_.empty) * law_.share(i));
  }
}

/// Margins from exponential weights, and as much association as is asked for: that share of the devices is on one band
/// of the table.
void CategoryWorld::make_table() {
  Xoshiro random(options_.seed, k_margin_stream);
  const auto weights = [&](std::uint32_t count, std::string_view what, std::vector<std::string>& names) {
    std::vector<double> out;
    for (std::uint32_t i = 0; i < count; ++i) {
      double weight = 0;
      for (int k = 0; k < 3; ++k) weight -= std::log(1 - random.unit());  // a Dirichlet law with parameter 3
      out.push_back(weight);
      names.push_back(fmt::format("{} {}", what, i + 1));
    }
    return out;
  };
  const std::vector<double> a = weights(k_table_rows, "row", rows_), b = weights(k_table_columns, "column", columns_);
  std::vector<double> apart, together;
  for (std::uint32_t i = 0; i < k_table_rows; ++i) {
    for (std::uint32_t j = 0; j < k_table_columns; ++j) {
      const std::uint32_t at = i * k_table_columns / k_table_rows;
      apart.push_back(a[i] * b[j]);
      together.push_back(j == at ? apart.back() : j == at + 1 ? apart.back() / 2 : 0);
    }
  }
  const Law free(apart), bound(together);
  std::vector<double> mixed;
  for (std::size_t i = 0; i < apart.size(); ++i)
    mixed.push_back((1 - options_.association) * free.share(i) + options_.association * bound.share(i));
  law_ = Law(mixed);
  for (std::size_t i = 0; i < law_.size(); ++i) truth_.push_back((1 - options_.empty) * law_.share(i));
}

void CategoryWorld::take_words() {
  const Said first = said_in(*options_.words, 0);
  if (is_table_) {
    const Said second = said_in(*options_.words, 1);
    rows_ = first.words;
    columns_ = second.words;
    for (std::size_t d = 0; d < first.of_device.size(); ++d) {
      const bool whole = first.of_device[d] < rows_.size() && second.of_device[d] < columns_.size();
      said_.push_back(whole ? first.of_device[d] * static_cast<std::uint32_t>(columns_.size()) + second.of_device[d]
                            : ~std::uint32_t{0});
    }
    truth_.assign(rows_.size() * columns_.size(), 0);
  } else {
    names_ = first.words;
    said_ = first.of_device;
    truth_.assign(names_.size(), 0);
  }
  for (const std::uint32_t cell : said_) {
    if (cell < truth_.size()) truth_[cell] += 1.0 / static_cast<double>(said_.size());
  }
}

std::string CategoryWorld::study() const {
  std::string text = begin_study(options_, devices());
  if (is_table_)
    text += fmt::format("rows = {}\ncolumns = {}\n", name_list(rows_), name_list(columns_));
  else
    text += fmt::format("categories = {}\n", name_list(names_));
  if (options_.periods > 1) text += fmt::format("\n[schedule]\nevery = \"week\"\nperiods = {}\n", options_.periods);
  return text;
}

/// The error is the sum over all shares of how far each is off: 0 to 2.
NamedErrors CategoryWorld::measure(const Everyday& estimated) const {
  if (estimated.cells.empty()) return {};
  std::map<std::string, double> truth;
  for (std::size_t i = 0; i < truth_.size(); ++i) truth[cell_name(i)] = truth_[i];
  double off = 0, covered = 0;
  for (const EverydayCell& cell : estimated.cells) {
    const auto at = truth.find(cell.name);
    const double share = at != truth.end()
                             ? at->second
                             : std::max(0.0, 1 - std::accumulate(truth_.begin(), truth_.end(), 0.0));  // none of these
    off += std::abs(cell.share - share);
    covered += cell.low <= share + 1e-12 && share <= cell.high + 1e-12;
  }
  NamedErrors out = {{"share_error", off}, {"coverage", covered / static_cast<double>(estimated.cells.size())}};
  if (is_table_) {
    out.emplace_back("association_found", estimated.association_p <= 0.05 ? 1 : 0);
    out.emplace_back("cramers_v", estimated.cramers_v);
  }
  return out;
}

/// Devices that each have one item.
class TopWorld final : public EverydayWorld {
 public:
  explicit TopWorld(const EverydayOptions& options) : options_(options), is_string_(options.of == "string") {
    if (options.words != nullptr) {
      Said said = said_in(*options.words, 0);
      std::vector<double> count(said.words.size(), 0);
      for (const std::uint32_t word : said.of_device) {
        if (word < count.size()) ++count[word];
      }
      for (std::size_t i = 0; i < said.words.size(); ++i)
        truth_.emplace(name_of(said.words[i]), count[i] / static_cast<double>(said.of_device.size()));
      words_ = std::move(said);
    } else {
      law_ = Law(zipf_weights(k_items_that_exist, options.zipf));
      for (std::size_t i = 0; i < law_.size(); ++i)
        truth_.emplace(name_of(item(i)), (1 - options.empty) * law_.share(i));
      if (options.empty > 0) truth_.emplace(name_of(std::string(8, '\0')), options.empty);  // a missing item is zeros
    }
    std::vector<std::pair<double, std::string>> ranked;
    for (const auto& [name, share] : truth_) ranked.emplace_back(share, name);
    std::ranges::sort(ranked, std::ranges::greater{});
    for (std::size_t i = 0; i < std::min(k_ranked, ranked.size()); ++i) top_.push_back(ranked[i].second);
  }

  [[nodiscard]] std::uint64_t devices() const noexcept override {
    return options_.words != nullptr ? options_.words->size() : options_.devices;
  }
  void read(std::uint64_t device, DeviceRows& out) const override {
    out.rows = 0;
    std::string bytes;
    if (options_.words != nullptr) {
      const std::uint32_t word = words_.of_device[device];
      if (word < words_.words.size()) bytes = words_.words[word];
      if (!is_string_) bytes = id_bytes(read_id(bytes).value_or(0));
    } else if (!is_empty(options_, device)) {
      Xoshiro random(options_.seed, device);
      bytes = item(law_.draw(random.unit()));
    }
    out.item.assign(bytes.begin(), bytes.end());
  }
  [[nodiscard]] std::string study() const override {
    return begin_study(options_, devices()) +
           (is_string_ ? fmt::format("of = \"string\"\nlength = {}\n", options_.length) : "of = \"id64\"\n") +
           (options_.paper ? "mechanism = \"paper\"\n" : "");
  }
  [[nodiscard]] NamedErrors measure(const Everyday& estimated) const override;
  [[nodiscard]] std::vector<double> common_shares() const override {
    std::vector<double> out;
    for (const std::string& name : top_) out.push_back(truth_.at(name));
    return out;
  }

 private:
  [[nodiscard]] static std::string id_bytes(std::uint64_t id) {
    std::string out(8, '\0');
    for (char& c : out) {
      c = static_cast<char>(id);
      id >>= 8;
    }
    return out;
  }
  /// The bytes of a simulated item.
  [[nodiscard]] std::string item(std::size_t i) const {
    Xoshiro random(options_.seed, k_item_stream + i);
    if (!is_string_) return id_bytes(random.word());
    std::string out;
    constexpr std::string_view k_letters = "abcdefghijklmnopqrstuvwxyz0123456789-.";
    for (std::uint32_t j = 0; j < options_.length; ++j)
      out += k_letters[random.below(static_cast<std::uint32_t>(k_letters.size()))];
    return out;
  }
  /// As the estimate names an item: the analyzer's words for what a device takes of it.
  [[nodiscard]] std::string name_of(const std::string& text) const {
    if (is_string_) return printable(std::string_view(text).substr(0, options_.length));
    if (options_.words != nullptr) return fmt::format("0x{:016x}", read_id(text).value_or(0));
    std::uint64_t id = 0;
    for (std::size_t i = 8; i-- > 0;) id = id << 8 | static_cast<std::uint8_t>(text[i]);
    return fmt::format("0x{:016x}", id);
  }

  EverydayOptions options_;
  bool is_string_;
  Law law_;
  Said words_;
  std::map<std::string, double> truth_;
  std::vector<std::string> top_;
};

NamedErrors TopWorld::measure(const Everyday& estimated) const {
  double recalled = 0, wrong = 0, covered = 0, off = 0;
  // What is not on the list counts as a share of zero, so that an empty list has an error, too.
  double off_top = 0;
  for (const std::string& name : top_) {
    const auto at = std::ranges::find(estimated.items, name, &EverydayItem::name);
    off_top += std::abs((at == estimated.items.end() ? 0 : at->share) - truth_.at(name));
  }
  for (const EverydayItem& item : estimated.items) {
    const auto at = truth_.find(item.name);
    const double share = at == truth_.end() ? 0 : at->second;
    wrong += at == truth_.end();
    recalled += std::ranges::find(top_, item.name) != top_.end();
    covered += item.low <= share && share <= item.high;
    off += std::abs(item.share - share);
  }
  const auto found = static_cast<double>(estimated.items.size());
  NamedErrors out = {{"recall_top10", recalled / static_cast<double>(std::max<std::size_t>(1, top_.size()))},
                     {"false_share", found > 0 ? wrong / found : 0},
                     {"found", found},
                     {"top10_error", off_top}};
  if (found > 0) {
    out.emplace_back("share_error", off / found);
    out.emplace_back("coverage", covered / found);
  }
  return out;
}

}  // namespace

Result<std::unique_ptr<EverydayWorld>> category_world(const EverydayOptions& options) {
  if (options.kind == "top" && options.of == "id64" && options.words != nullptr) {
    for (const auto& row : *options.words) {
      if (row[0].empty() || read_id(row[0])) continue;
      return Error{"simulate.bad_id", "an id of 64 bits is a whole number, such as 17 or 0x2f", printable(row[0]),
                   "add --of string for words"};
    }
  }
  if (options.kind == "top") return std::unique_ptr<EverydayWorld>(std::make_unique<TopWorld>(options));
  return std::unique_ptr<EverydayWorld>(std::make_unique<CategoryWorld>(options));
}

}  // namespace sotto::analyzer
