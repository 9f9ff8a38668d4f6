// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "sotto/analyzer/request/fit.hpp"

// Whether the options of a fit go together.
namespace sotto::analyzer::request {
namespace {

/// Whether both names lead to the same bytes. Only what can be read twice is compared.
bool is_same_data(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  if (one == other) return true;
  std::error_code failed;
  if (!fs::is_regular_file(one, failed) || !fs::is_regular_file(other, failed)) return false;
  if (fs::equivalent(one, other, failed)) return true;
  if (fs::file_size(one, failed) != fs::file_size(other, failed)) return false;
  std::ifstream first(one, std::ios::binary), second(other, std::ios::binary);
  const std::istreambuf_iterator<char> end;
  return first && second &&
         std::equal(std::istreambuf_iterator<char>(first), end, std::istreambuf_iterator<char>(second), end);
}

}  // namespace

Result<Done> check_fit(const FitOptions& o) {
  if (o.data.empty() == o.synthetic.empty())
    return Error{"fit.no_data", "give either a data file or --synthetic", "",
                 "sotto fit --help shows what is accepted"};
  if (!o.synthetic.empty() && o.loss == "logistic")
    return Error{"fit.bad_synthetic", "the target of synthetic rows is a number", "--loss logistic",
                 "use linear or huber"};
  if (!o.test.empty() && (o.scale == "rows" || o.libsvm))
    return Error{"fit.bad_test", "--test reads a CSV file for models of standardised or unscaled columns", o.test,
                 "leave --test out, or fit a CSV file with --scale standard"};
  if (!o.test.empty() && !o.no_privacy && !o.rows && is_same_data(o.data, o.test))
    return Error{"fit.test_is_data", "--test names the rows that are to be protected: an error on them is not private",
                 o.test, "name a file of other rows, which are public, or leave --test out"};
  if (!o.table.positive.empty() && (o.loss == "linear" || o.loss == "huber"))
    return Error{"fit.bad_positive", "--positive makes a class of the target, and the loss is for a number",
                 "--loss " + o.loss, "leave one of them out"};
  const bool says_number = o.target_kind == "number" || o.target_kind == "count";
  const bool is_class = o.loss == "logistic" || !o.table.positive.empty();
  const bool is_number = o.loss == "linear" || o.loss == "huber";
  if ((says_number && is_class) || (o.target_kind == "class" && is_number))
    return Error{"fit.bad_kind", "two options say different things of the target",
                 fmt::format("--target-kind {} and {}", o.target_kind,
                             o.loss.empty() ? "--positive " + o.table.positive : "--loss " + o.loss),
                 "leave one of them out"};
  if (!o.no_privacy && !o.epsilon)
    return Error{"fit.no_epsilon", "no privacy budget is given", "",
                 "give --epsilon, or --no-privacy for a fit without noise and clipping"};
  return Done{};
}

}  // namespace sotto::analyzer::request
