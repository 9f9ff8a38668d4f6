// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/model_simulation.hpp"
#include "sotto/analyzer/compile/read_study.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sotto/analyzer/simulate/once_table.hpp"
#include "sotto/analyzer/simulate/table_world.hpp"
#include "sotto/local/samples.hpp"

namespace sotto::analyzer {
namespace {

// The bound that a careful analyst would state: a quarter above the truth.
constexpr double k_norm_allowance = 1.25;
constexpr double k_table_full_scale = 4;
constexpr std::uint32_t k_sparsity_max = 64;  // of a study file
// Assumptions about a table that was not looked at: eight variables explain half of the target's variance.
constexpr std::uint32_t k_table_sparsity = 8;
constexpr double k_table_noise = 0.7, k_table_norm = 0.7;
// Devices beside those that were asked, on which the true gain is measured.
constexpr std::uint64_t k_further_devices = 1000, k_further_rows = 20000;
constexpr double k_once_logistic_norm = 4;  // r of smooth-glm: the length of coefficients per full scale
constexpr double k_scale_min = 1.0 / 4096;  // below this a reading as a whole number would be too coarse

double deviation_of(const Noise& noise) {
  switch (noise.kind) {
    case Noise::Kind::gaussian: return noise.size;
    case Noise::Kind::uniform: return noise.size / std::sqrt(3.0);
    case Noise::Kind::student: return noise.size > 2.5 ? std::sqrt(noise.size / (noise.size - 2)) : 2.25;
  }
  return noise.size;
}

/// Standard deviation of the residual, in those of the target. For a class, that of its random draw.
double deviation_of(const SyntheticSpec& spec) {
  if (spec.link == TargetLink::logistic) return 1;
  return deviation_of(spec.noise) / link_deviation(spec.link);
}

/// The median number of rows of a user.
std::uint32_t nominal_rows(const Table& table, std::span<const std::uint32_t> users) {
  std::vector<std::uint64_t> rows;
  for (const std::uint32_t u : users) rows.push_back(table.first_row[u + 1] - table.first_row[u]);
  const std::size_t at = rows.size() / 2;
  std::ranges::nth_element(rows, rows.begin() + static_cast<std::ptrdiff_t>(at));
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(rows[at], 1, k_rows_max));
}

Quantity quantity_of(std::string name, const Scale& scale) {
  // A column with a small deviation is given in standard deviations: integers in its own unit would be too coarse.
  if (scale.deviation < k_scale_min) return {std::move(name), "standard deviations", 0, 1};
  return {std::move(name), "", scale.offset, scale.deviation};
}

/// What the features of a table are made of. Nothing if the levels of a column are merely those that it has: a word that
/// is none of them has no feature then, and no study can say so.
std::vector<StudyColumn> stated_columns(const Table& table) {
  using Kind = FeatureSource::Kind;
  std::vector<StudyColumn> out;
  for (std::size_t j = 0; j < table.sources.size(); ++j) {
    const FeatureSource& source = table.sources[j];
    if (out.empty() || out.back().name != source.column)
      out.push_back({.name = source.column, .first = static_cast<std::uint32_t>(j)});
    if (source.kind == Kind::level) out.back().levels.push_back(source.level);
    if (source.kind == Kind::missing) out.back().has_missing = true;
    const bool is_last = j + 1 == table.sources.size() || table.sources[j + 1].column != source.column;
    if (is_last && j + 1 - out.back().first != out.back().features()) return {};
  }
  return std::ranges::all_of(out, &StudyColumn::is_plain) ? std::vector<StudyColumn>{} : out;
}

/// The features that names of columns became: a word has one for each of its levels. Other names are left to the study,
/// which refuses them.
std::vector<std::string> features_named(const std::vector<std::string>& names, const Table& table) {
  std::vector<std::string> out;
  for (const std::string& name : names) {
    const std::size_t before = out.size();
    for (std::size_t j = 0; j < table.sources.size(); ++j) {
      if (table.sources[j].column == name) out.push_back(table.features[j]);
    }
    if (out.size() == before) out.push_back(name);
  }
  return out;
}

Eigen::VectorXd scores_of(const Model& model, const StandardRows& rows) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(rows.y.size());
  for (const Coefficient& c : model.coefficients) out += c.estimate * rows.x.col(c.feature);
  return out;
}

double first_class_share(const StandardRows& rows) {
  return static_cast<double>((rows.y.array() > 0).count()) /
         static_cast<double>(std::max<Eigen::Index>(1, rows.y.size()));
}

/// Rows of devices that are not asked, in standard units.
StandardRows further_rows(const SyntheticWorld& world) {
  constexpr std::size_t k_rows = 4000;
  StandardRows out;
  const auto features = static_cast<Eigen::Index>(world.features());
  out.x.resize(k_rows, features);
  out.y.resize(k_rows);
  DeviceRows held;
  Eigen::Index at = 0;
  for (std::uint64_t device = world.devices(); at < out.y.size(); ++device) {
    world.read(device, held);
    for (std::uint32_t r = 0; r < held.rows && at < out.y.size(); ++r, ++at) {
      const Q15* const row = held.numbers.data() + std::size_t{r} * (world.features() + 1);
      for (Eigen::Index j = 0; j < features; ++j) out.x(at, j) = row[j] / world.feature_unit();
      out.y[at] = row[features];
    }
  }
  return out;
}

/// The gain on devices that are not asked: some, or many where each has one number to say of its rows.
double true_gain(const FleetData& data, std::uint64_t first, const Model& model, RowUnits units) {
  const bool own = model.validation.against == Against::device;
  return mean_gain(data, first, own ? k_further_devices : k_further_rows, model, units);
}

/// What the stage between devices is told by the truth of a synthetic fleet, and by devices that it did not ask.
LevelMetrics level_metrics(const FleetData& data, const FleetData* further, const Between& model) {
  LevelMetrics out;
  if (const auto* world = dynamic_cast<const SyntheticWorld*>(&data))
    out = against_level_truth(model, world->level_truth(), world->features());
  out.verdict = model.verdict;
  if (model.coefficients.empty()) return out;
  out.r2 = further != nullptr ? level_r2(*further, 0, further->devices(), model)
                              : level_r2(data, data.devices(), k_further_devices, model);
  return out;
}

/// Devices that take their own means off tell nothing about levels. That these carry a signal is seen in a file's rows.
std::string levels_sentence(const Baselines& errors) {
  return fmt::format(
      "Differences of level between users carry a signal that this model leaves out: without privacy, 20 variables of "
      "changes within users alone have {:.2f} times the error of 20 variables that also use levels. Where offset and "
      "scale of every column can be stated, units = \"stated\" with centre = \"fleet\" in the study, or --centre fleet "
      "here, learns from levels as well. Wrong offsets then make false variables.",
      errors.changes_mse / errors.omp_mse);
}

/// `level` is what predictions start from.
double held_out_mse(const Model& model, const StandardRows& rows, double level) {
  Eigen::VectorXd left = rows.y.array() - level;
  for (const Coefficient& c : model.coefficients) left -= c.estimate * rows.x.col(c.feature);
  return left.squaredNorm() / static_cast<double>(left.size());
}

/// The study of a simulation is generated, so the refused line would not help its reader.
Error without_line(Error error) {
  constexpr std::string_view k_planned = "cannot be planned: ";
  if (const std::size_t at = error.what.find(k_planned); at != std::string::npos) {
    error.what.erase(0, at + k_planned.size());
    error.value.clear();  // the protocol's name
  }
  return error;
}

}  // namespace

StudyDraft draft_study(const SyntheticWorld& world, const Assumptions& assumptions) {
  const SyntheticSpec& spec = world.spec();
  double length = 0;
  for (const double b : world.truth()) length += b * b;
  StudyDraft draft;
  draft.name = "simulated";
  draft.devices = spec.devices;
  draft.samples = assumptions.samples.value_or(std::min(k_rows_max, spec.samples_high));
  draft.features = spec.features;
  draft.sparsity = assumptions.sparsity.value_or(std::min(k_sparsity_max, spec.nonzeros));
  draft.noise = assumptions.noise.value_or(deviation_of(spec));
  draft.norm = assumptions.norm.value_or(k_norm_allowance * std::sqrt(length));
  draft.correlated = assumptions.correlated.value_or(spec.design == Design::correlated);
  draft.target_deviation = assumptions.target_deviation.value_or(std::hypot(deviation_of(spec), std::sqrt(length)));
  draft.target_is_normal = assumptions.target_is_normal;
  draft.signs = spec.design == Design::rademacher && spec.task == Task::regression;
  draft.link = spec.link;
  draft.units = assumptions.units;
  draft.between = assumptions.between;
  for (std::uint32_t j = spec.features - spec.levels.columns; draft.between && j < spec.features; ++j)
    draft.between->features.push_back(fmt::format("feature {}", j));
  draft.validation = assumptions.validation;
  if (spec.task == Task::regression) draft.own_target_scale = world.target_deviation();
  draft.target = {"y", "", 0, link_deviation(spec.link)};
  return draft;
}

namespace {

/// The study of a OnceWorld: it assumes the truth.
StudyDraft draft_once(const OnceWorld& world, const OnceTerms& once, const Assumptions& assumptions) {
  const OnceWorldSpec& spec = world.spec();
  // r = 4 bounds the 3.2 of a logistic world; the others are given their exact norm.
  constexpr double k_logistic_norm = 4;
  StudyDraft draft;
  draft.name = "simulated, collected once";
  draft.devices = spec.devices;
  draft.samples = 1;
  draft.features = spec.features;
  draft.full_scale = 1;
  draft.once = once;
  draft.sparsity = assumptions.sparsity.value_or(spec.task == OnceTask::mean || spec.task == OnceTask::linear
                                                     ? spec.nonzeros
                                                     : std::min(k_sparsity_max, spec.features));
  draft.norm = assumptions.norm.value_or(spec.task == OnceTask::logistic   ? k_logistic_norm
                                         : spec.task == OnceTask::function ? 1
                                                                           : world.assumed_norm());
  if (spec.task == OnceTask::logistic) draft.link = TargetLink::logistic;
  draft.validation = assumptions.validation;
  draft.target = {"y", "", 0, 1};
  if (spec.task == OnceTask::function) {
    for (std::uint32_t j = 0; j < spec.features; ++j)
      draft.quantities.push_back({spec.features == 1 ? "x" : fmt::format("x{}", j + 1), "", 0.5, 0.5});
  }
  return draft;
}

}  // namespace

ModelSimulation::Prepared ModelSimulation::prepare_once(std::uint64_t seed) const {
  OnceWorldSpec spec = *source_.once;
  spec.seed = seed;
  auto world = std::make_unique<OnceWorld>(spec);
  Prepared out;
  out.seed = seed;
  out.draft = draft_once(*world, source_.once_terms, assumptions_);
  out.data = std::move(world);
  return out;
}

std::uint64_t ModelSimulation::devices() const {
  if (!source_.table) return source_.once ? source_.once->devices : source_.synthetic.devices;
  const auto users = static_cast<double>(source_.table->users.size());
  return static_cast<std::uint64_t>(users - std::round(users * source_.test_share));
}

void RepeatResult::keep_numbers() {
  Model numbers;
  numbers.verdict = model.verdict;
  numbers.validation = model.validation;
  numbers.between = model.between;
  numbers.reports_used = model.reports_used;
  numbers.reports_refused = model.reports_refused;
  model = std::move(numbers);
  study_text = {};
  compiled = {};
  record.rounds = {};
  facts = {};
}

ModelSimulation::Prepared ModelSimulation::prepare_synthetic(std::uint64_t seed) const {
  SyntheticSpec spec = source_.synthetic;
  spec.seed = seed;
  auto world = std::make_unique<SyntheticWorld>(spec);
  Prepared out;
  out.seed = seed;
  out.draft = draft_study(*world, assumptions_);
  out.draft.name = source_.name;
  out.draft.quantities = source_.quantities;
  if (source_.quantity) {
    const double unit = link_deviation(spec.link) / world->target_deviation();
    out.draft.target = *source_.quantity;
    out.draft.own_target_scale = source_.quantity->scale;
    out.draft.target.scale *= unit;
  }
  if (spec.link == TargetLink::logistic && spec.empty < 1) {
    out.test = further_rows(*world);
    const Eigen::VectorXd truth = Eigen::Map<const Eigen::VectorXd>(world->truth().data(), spec.features);
    const double share = first_class_share(*out.test);
    out.classes = ClassErrors{0, class_error(out.test->x * truth, out.test->y, 0.5), std::min(share, 1 - share)};
  }
  out.data = std::move(world);
  if (spec.misstated_offset != 0 || spec.misstated_scale != 1) {  // devices that use their own units never hear of it
    spec.misstated_offset = 0;
    spec.misstated_scale = 1;
    out.own_data = std::make_unique<SyntheticWorld>(spec);
  }
  return out;
}

ModelSimulation::Prepared ModelSimulation::prepare_table(std::uint64_t seed) const {
  const UserSplit split = split_users(source_.table->users.size(), source_.test_share, seed);
  Scaling scaling = measure_scaling(*source_.table, split.train, source_.transform, source_.outliers);
  const std::optional<OnceTask> once = source_.once ? std::optional(source_.once->task) : std::nullopt;
  std::optional<Table> classes;
  if (once == OnceTask::logistic) classes = with_classes(*source_.table, scaling.target.offset);
  if (once) scaling = once_scaling(*once, std::move(scaling));
  const Table& table = classes ? *classes : *source_.table;
  const double full_scale = once ? once_full_scale(*once) : k_table_full_scale;
  Prepared out;
  out.seed = seed;
  StudyDraft& draft = out.draft;
  draft.name = "simulated from a file";
  draft.devices = split.train.size();
  draft.features = static_cast<std::uint32_t>(table.features.size());
  draft.samples = assumptions_.samples.value_or(nominal_rows(table, split.train));
  draft.sparsity = assumptions_.sparsity.value_or(std::min(k_table_sparsity, draft.features));
  draft.noise = assumptions_.noise.value_or(k_table_noise);
  draft.norm = assumptions_.norm.value_or(k_table_norm);
  draft.correlated = assumptions_.correlated.value_or(true);
  draft.target_deviation = assumptions_.target_deviation.value_or(1);
  draft.target_is_normal = assumptions_.target_is_normal;
  draft.kind = source_.kind;
  draft.link = source_.link;
  draft.source = AssumedFrom::data;
  draft.units = assumptions_.units;
  draft.validation = assumptions_.validation;
  draft.between = assumptions_.between;
  if (draft.between) draft.between->features = features_named(draft.between->features, table);
  draft.comments = {"Offsets, scales and samples were computed from the training users: assumed public."};
  for (std::size_t j = 0; j < table.features.size(); ++j)
    draft.quantities.push_back(quantity_of(table.features[j], scaling.features[j]));
  draft.target = quantity_of(source_.target, scaling.target);
  draft.columns = stated_columns(table);
  const auto unit = static_cast<std::uint32_t>(std::lround(32768 / full_scale));
  out.data = std::make_unique<TableWorld>(table, split.train, scaling, unit);
  if (!once) {
    out.own_data = std::make_unique<TableWorld>(table, split.train, source_.transform, source_.kind);
    out.further = std::make_unique<TableWorld>(table, split.test, scaling, unit);
    out.own_further = std::make_unique<TableWorld>(table, split.test, source_.transform, source_.kind);
    out.train = scaling.apply(table, split.train, {full_scale, k_no_clip});
    out.units = FileUnits::of(*out.train);
  }
  out.test = scaling.apply(table, split.test, {full_scale, k_no_clip});
  if (once) {
    const StandardRows train = scaling.apply(table, split.train, {full_scale, full_scale});
    draft.full_scale = full_scale;
    draft.once = source_.once_terms;
    draft.once->isotropic = !draft.correlated;
    state_rows(*once, train, full_scale, *draft.once);
    draft.norm = assumptions_.norm.value_or(*once == OnceTask::logistic   ? k_once_logistic_norm
                                            : *once == OnceTask::mean     ? draft.once->row_norm / 2
                                            : *once == OnceTask::function ? 1
                                                                          : k_table_norm);
    out.held_out = split.test;
    out.scaling = scaling;
    if (*once == OnceTask::mean) return out;
  }
  if (source_.kind == TargetKind::two_classes) {
    const StandardRows train = scaling.apply(table, split.train, {full_scale, full_scale});
    const double share = first_class_share(*out.test);
    out.class_share = first_class_share(train);
    out.classes = ClassErrors{0, logistic_error(fit_logistic(train), *out.test), std::min(share, 1 - share)};
    return out;
  }
  if (source_.with_baselines)
    out.baselines =
        measure_baselines(scaling.apply(table, split.train, {full_scale, full_scale}), *out.test, {.seed = seed});
  return out;
}

Result<Study> ModelSimulation::study(const ProtocolChoice& choice, const SimulationOptions& options,
                                     std::string& text) {
  if (!prepared_ || prepared_->seed != options.seed)
    prepared_ = source_.table  ? prepare_table(options.seed)
                : source_.once ? prepare_once(options.seed)
                               : prepare_synthetic(options.seed);
  StudyDraft draft = prepared_->draft;
  draft.rounds = assumptions_.rounds;
  draft.epsilon = options.epsilon;
  // A comparison includes ways that spend no delta.
  draft.delta = choice.label == "gaussian" ? options.delta : 0;
  draft.label = choice.label;
  const ProtocolFacts* const named = find_protocol(choice.protocol);
  draft.protocol = draft.once && named != nullptr && !named->once_name.empty() ? named->once_name : choice.protocol;
  draft.paper = choice.paper;
  if (draft.once) {
    draft.once->way = choice.way;
    // Both worlds of such a protocol have features on a sphere. Of a table this is assumed where the command says so.
    if (!source_.table || choice.way == OnceWay::direct) draft.once->isotropic = true;
    draft.once->isotropic = draft.once->isotropic && named != nullptr && !named->direct_assumes.empty();
  }
  text = study_text(draft);
  Result<Study> study = read_study(text, "study.toml");
  // "auto" may choose a protocol whose devices cannot use their own units, and which needs stated ones.
  if (draft.protocol == "auto" && !draft.once && (!study || !study.value().regression->protocol->from_all_rows)) {
    draft.is_stated = true;
    text = study_text(draft);
    study = read_study(text, "study.toml");
  }
  if (!study) return without_line(study.error());
  return study;
}

Result<RepeatResult> ModelSimulation::run(const ProtocolChoice& choice, const SimulationOptions& options) {
  RepeatResult out;
  const Result<Study> study = this->study(choice, options, out.study_text);
  if (!study) return study.error();
  const RowUnits units = study.value().regression->units;
  const FleetData& data = units == RowUnits::own && prepared_->own_data ? *prepared_->own_data : *prepared_->data;
  Result<RegressionRun> run =
      run_regression(study.value(), data,
                     {options.seed, options.dropout, options.threads, options.directory, options.command,
                      options.progress, options.is_stopped, options.rehearse, options.complete});
  if (!run) return run.error();
  out.model = std::move(run.value().model);
  out.compiled = std::move(run.value().compiled);
  out.record = std::move(run.value().record);
  out.baselines = prepared_->baselines;
  measure(*study.value().regression, options.rehearse, out);
  compare_errors(*study.value().regression, out);
  return out;
}

/// The true coefficients, in the units of the model's: `unit` is what one of those is worth.
void ModelSimulation::tell_truth(const std::vector<double>& truth, double unit, RepeatResult& out) const {
  const std::vector<Quantity>& names = prepared_->draft.quantities;
  for (std::uint32_t j = 0; j < truth.size(); ++j) {
    if (truth[j] != 0)
      out.facts.coefficients.push_back(
          {j, j < names.size() ? names[j].name : fmt::format("feature {}", j), truth[j] / unit});
  }
  std::ranges::stable_sort(out.facts.coefficients, std::ranges::greater{},
                           [](const html::SimulationFacts::True& t) { return std::abs(t.value); });
  out.facts.knows_coefficients = true;
}

/// Errors on held-out rows, each with its name: the model's, and those of models without privacy.
void ModelSimulation::compare_errors(const RegressionTerms& terms, RepeatResult& out) const {
  html::SimulationFacts& facts = out.facts;
  const char* const whose = source_.table ? "users that were held out" : "further simulated devices";
  if (out.classes) {
    facts.measure = "share of wrong classes";
    facts.rows = fmt::format("{} rows of {}", prepared_->test->y.size(), whose);
    facts.errors = {{"this model", out.classes->model},
                    {"logistic regression on all training rows together, without privacy", out.classes->limit},
                    {"always the larger class", out.classes->chance}};
  } else if (out.model_mse && out.baselines) {
    facts.measure = "squared error";
    facts.rows = fmt::format("{} rows of {}, in variances of the target", prepared_->test->y.size(), whose);
    facts.errors = {{"this model", *out.model_mse},
                    {"Lasso on all training rows together, without privacy", out.baselines->pooled_lasso_mse},
                    {"20 variables by matching pursuit, without privacy", out.baselines->omp_mse},
                    {"20 variables, of changes within users alone, without privacy", out.baselines->changes_mse},
                    {"Lasso of one user's own rows, the median of users", out.baselines->local_lasso_median_mse},
                    {"always the mean of the training rows", out.baselines->mean_mse}};
    const bool has_levels = terms.protocol->from_all_rows && terms.units != RowUnits::stated;
    if (has_levels && out.baselines->levels_matter()) facts.levels = levels_sentence(*out.baselines);
  }
}

/// How close the model came: to the truth of a synthetic world, on held-out users of a table.
void ModelSimulation::measure(const RegressionTerms& terms, bool rehearsed, RepeatResult& out) const {
  const bool own = terms.units == RowUnits::own;
  const FleetData& data = own && prepared_->own_data ? *prepared_->own_data : *prepared_->data;
  if (const auto* world = dynamic_cast<const SyntheticWorld*>(&data)) {
    // A coefficient per device standard deviation, times that of the target: features have a deviation of 1.
    const bool scaled = own && world->spec().link == TargetLink::identity;
    // Least squares on classes -1 and +1 finds half of the log-odds, where these are small.
    const bool is_half = terms.kind == TargetKind::two_classes && terms.link == TargetLink::identity;
    const double deviation = scaled ? world->target_deviation() : is_half ? 2 : 1;
    const FileUnits same{std::vector<double>(world->features(), deviation)};
    out.truth = against_truth(same.convert(out.model), world->truth());
    tell_truth(world->truth(), deviation, out);
    if (prepared_->classes && !rehearsed)
      out.device_chance = larger_class_error(data, world->devices(), k_further_devices);
    if (out.model.validation.devices > 0 && !rehearsed)
      out.true_gain = true_gain(data, world->devices(), out.model, terms.units);
  }
  if (const auto* world = dynamic_cast<const OnceWorld*>(&data)) {
    const double error = world->error_of(out.model);
    if (out.model.validation.devices > 0 && !rehearsed)
      out.true_gain = true_gain(data, world->devices(), out.model, terms.units);
    if (!world->truth().empty()) {
      out.truth = against_truth(out.model, world->truth());
      tell_truth(world->truth(), 1, out);
    }
    switch (world->spec().task) {
      case OnceTask::mean: out.l2_error = error; break;
      case OnceTask::function:
        out.function_error = error;
        out.excess_risk_ratio = error * error;
        break;
      default: out.excess_risk_ratio = error; break;
    }
    for (const CurvePoint& p : out.model.function.curve) out.facts.curve.push_back(world->function_at({&p.x, 1}));
  }
  const FleetData* const further = own ? prepared_->own_further.get() : prepared_->further.get();
  if (out.model.between.columns > 0) out.levels = level_metrics(data, further, out.model.between);
  if (further != nullptr && prepared_->classes) out.device_chance = larger_class_error(*further, 0, further->devices());
  if (further != nullptr && out.model.validation.devices > 0)
    out.true_gain = mean_gain(*further, 0, further->devices(), out.model, terms.units);
  out.classes = prepared_->classes;
  if (out.classes) {
    // Coefficients per device deviation are put to rows in deviations of the file: nobody knows a device's scales, and
    // the order of rows needs no others.
    out.classes->model =
        class_error(scores_of(out.model, *prepared_->test), prepared_->test->y, prepared_->class_share);
  } else if (prepared_->test && own) {
    const Model in_file_units = prepared_->units->convert(out.model);
    const double level = (prepared_->train->y - scores_of(in_file_units, *prepared_->train)).mean();
    out.model_mse = held_out_mse(in_file_units, *prepared_->test, level);
  } else if (prepared_->test && source_.once && source_.once->task == OnceTask::mean) {
    const MeanErrors errors = mean_errors(out.model, *prepared_->test, once_full_scale(OnceTask::mean));
    out.l2_error = errors.model;
    out.mean_length = errors.zero;
  } else if (prepared_->test && source_.once && source_.once->task == OnceTask::function) {
    out.model_mse = function_mse(out.model, *source_.table, prepared_->held_out, prepared_->scaling);
  } else if (prepared_->test) {
    out.model_mse = held_out_mse(out.model, *prepared_->test, 0);
  }
}

}  // namespace sotto::analyzer
