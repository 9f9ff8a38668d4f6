// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "round.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sotto/analyzer/aggregate/block.hpp"
#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/math/direction_error.hpp"
#include "sotto/analyzer/math/link_table.hpp"
#include "sotto/analyzer/propose/block.hpp"
#include "sotto/analyzer/propose/direction.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_link_points = 33;  // of a round's table: 264 bytes, and 112 entries beside them
constexpr double k_link_reach = 4;        // multiples of |theta| that the table covers on either side; linear beyond it
constexpr double k_class_residual = 0.5;  // of a class around the centre 0

bool has_table(const RegressionTerms& terms) { return terms.link == TargetLink::cosine; }

/// The link in a device's units: features and targets are fractions of full scale.
LinkTableData device_table(const RegressionTerms& terms) {
  const double unit = terms.unit(), reach = k_link_reach * terms.norm * unit;
  const auto value = [&](double u) {
    return unit * (link_value(terms.link, u / unit) - terms.link_zero) / terms.link_unit;
  };
  const auto slope = [&](double u) { return link_slope(terms.link, u / unit) / terms.link_unit; };
  return link_table(value, slope, -reach, reach, 1, k_link_points);
}

Result<Done> put_link(const RegressionTerms& terms, RoundDraft& draft) {
  if (terms.link == TargetLink::logistic) draft.link = static_cast<std::uint8_t>(LinkKind::logistic);
  if (!has_table(terms)) return Done{};
  const LinkTableData table = device_table(terms);
  if (link_check(table.link()) != Status::ok) {
    return Error{"protocol.bad_link",
                 "the link's table is none that a device takes: it must rise, by at most 64 a unit",
                 fmt::format("{}, one deviation of the target is {:g}", link_name(terms.link), terms.link_unit),
                 "give [target] bounds of about four times its standard deviation"};
  }
  draft.link = static_cast<std::uint8_t>(LinkKind::table);
  draft.parameter[recipe::link_table::first_point] = static_cast<std::uint32_t>(table.first_q24);
  draft.parameter[recipe::link_table::log2_step] = table.log2_step;
  for (const LinkPoint& point : table.points) draft.pairs.push_back({point.value_q24, point.slope_q24});
  return Done{};
}

Result<AnySpec> item_spec(const RegressionTerms& terms, ItemAnswer answer, std::size_t coordinates) {
  const auto k = static_cast<std::uint32_t>(coordinates);
  if (answer == ItemAnswer::block) {
    const Result<BlockProposal> block = propose_block(terms.epsilon, std::min(k, k_block_width_max));
    if (!block) return block.error();
    return AnySpec{block.value().spec};
  }
  if (answer == ItemAnswer::direction) return best_direction(terms.epsilon, k + 1);
  AnySpec spec = HemisphereSpec{terms.epsilon, k + 1, 0};
  if (k >= k_hemisphere_dimension_max) {
    return Error{"protocol.bad_dimension", "the paper's one bit has room for fewer coordinates",
                 fmt::format("{} features", k),
                 fmt::format("use at most {}, or the default mechanism", k_hemisphere_dimension_max - 1)};
  }
  if (const Status s = compile_spec(spec, k_epsilon_max); s != Status::ok) {
    return Error{"protocol.bad_epsilon", "the paper's one bit has no channel at this epsilon",
                 fmt::format("{:g}", terms.nats()), "use more epsilon"};
  }
  return spec;
}

}  // namespace

std::size_t centre_room(const RegressionTerms& terms) {
  const std::size_t table = has_table(terms) ? k_link_points * k_pair_bytes : 0;
  return (k_round_max_bytes - k_round_fixed_bytes - table) / k_model_bytes;
}

double mean_slope(const RegressionTerms& terms) {
  // sin is odd, so the mean of 8 - sin t is 8.
  return terms.link == TargetLink::identity ? 1 : link_deviation(terms.link) / terms.link_unit;
}

Result<RoundDraft> draft_item(const RegressionTerms& terms, const ItemQuestion& question, std::uint16_t number,
                              std::uint8_t cohort) {
  const Result<AnySpec> spec = item_spec(terms, question.answer, question.asked.size());
  if (!spec) return spec.error();
  const bool is_block = question.answer == ItemAnswer::block, is_class = terms.link == TargetLink::logistic;
  RoundDraft draft{is_block ? QuestionKind::block : QuestionKind::direction,
                   Recipe::signs,
                   number,
                   cohort,
                   spec.value(),
                   {},
                   question.centre};
  draft.parameter[is_block ? recipe::signs::scope : recipe::vector::scope] =
      question.is_all ? k_scope_all : k_scope_model;
  const double slope = mean_slope(terms), unit = terms.unit();
  if (is_block) {
    draft.parameter[recipe::signs::bound] = positive_q24(is_class ? k_class_residual : question.bound * slope * unit);
  } else {
    put_local_answer(terms, LocalAnswer::gradient, draft);
    if (terms.samples == 1) draft.recipe = Recipe::row_gradient;
    // The bound of a table's link is multiplied by its slope; that of a class has no unit.
    const double one = is_class           ? k_class_residual * unit
                       : has_table(terms) ? slope * slope * unit * unit
                                          : unit * unit;
    draft.parameter[recipe::vector::radius] = positive_q24(question.bound * one);
  }
  if (const auto put = put_link(terms, draft); !put) return put.error();
  return draft;
}

Result<double> item_efficiency(const RegressionTerms& terms, ItemAnswer answer, std::size_t coordinates) {
  const Result<AnySpec> spec = item_spec(terms, answer, coordinates);
  if (!spec) return spec.error();
  if (const auto* block = std::get_if<BlockSpec>(&spec.value())) {
    const double agreement = block_agreement(*block);
    return block->width * agreement * agreement;
  }
  return std::visit(
      [&](const auto& s) -> double {
        if constexpr (requires { direction_error(s); }) {
          return (static_cast<double>(coordinates) + 1) / direction_error(s).mean_square();
        } else {
          return 0;
        }
      },
      spec.value());
}

}  // namespace sotto::analyzer
