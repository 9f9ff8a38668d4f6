// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "../boost/boost.hpp"
#include "../cascade/cascade.hpp"
#include "../category/category.hpp"
#include "../federated/federated.hpp"
#include "../labels/labels.hpp"
#include "../ldp_iht/ldp_iht.hpp"
#include "../multi_round/multi_round.hpp"
#include "../number/number.hpp"
#include "../once/once.hpp"
#include "../two_round/two_round.hpp"
#include "sotto/analyzer/protocol/frame/row.hpp"

namespace sotto::analyzer {

// The list of all protocols. A new protocol adds its row here.
std::span<const ProtocolRow* const> product_rows() {
  static constexpr const ProtocolRow* k_rows[] = {
      &k_cascade_row,         &k_boost_row,       &k_two_round_row,   &k_multi_round_row, &k_sparse_mean_row,
      &k_ldp_iht_row,         &k_label_iht_row,   &k_label_lasso_row, &k_federated_row,   &k_mean_once_row,
      &k_regression_once_row, &k_kernel_once_row, &k_glm_once_row,    &k_number_row,      &k_count_row,
      &k_event_row,           &k_category_row,    &k_crosstab_row,    &k_top_row};
  return k_rows;
}

}  // namespace sotto::analyzer
