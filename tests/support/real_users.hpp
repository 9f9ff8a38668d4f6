// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "local_problem.hpp"

// Real data sets: SOTTO_DATA_DIR/<name>.csv.gz with columns user, y, meta_* (not features), features. Unpacked by gzip.
namespace sotto {

struct RealRow {
  double y;
  std::vector<double> x;
};

/// Rows by user; empty where the data set is not there.
inline std::map<long, std::vector<RealRow>> read_real_users(const std::string& name) {
  std::map<long, std::vector<RealRow>> users;
  const std::filesystem::path path = std::filesystem::path{SOTTO_DATA_DIR} / (name + ".csv.gz");
  if (!std::filesystem::exists(path)) return users;
  std::FILE* const pipe = popen(("gzip -dc '" + path.string() + "'").c_str(), "r");
  if (pipe == nullptr) return users;
  std::string line;
  std::size_t meta = 0;
  bool header = true;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) {
    if (c != '\n') {
      line.push_back(static_cast<char>(c));
      continue;
    }
    if (header) {
      for (std::size_t at = line.find("meta_"); at != std::string::npos; at = line.find("meta_", at + 1)) ++meta;
      header = false;
    } else {
      char* next = line.data();
      std::vector<double> numbers;
      while (*next != '\0') {
        numbers.push_back(std::strtod(next, &next));
        while (*next == ',' || *next == '\r') ++next;
      }
      users[static_cast<long>(numbers[0])].push_back(
          {numbers[1], {numbers.begin() + 2 + static_cast<std::ptrdiff_t>(meta), numbers.end()}});
    }
    line.clear();
  }
  (void)pclose(pipe);
  return users;
}

/// Public offset and scale: the mean of all users goes to 0, four standard deviations to 1.
class Standardiser {
 public:
  explicit Standardiser(const std::map<long, std::vector<RealRow>>& users) {
    double count = 0;
    for (const auto& [user, rows] : users) {
      for (const RealRow& row : rows) {
        if (count == 0) sum_ = square_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(row.x.size()) + 1);
        const Eigen::VectorXd v = with_target(row);
        sum_ += v;
        square_ += v.cwiseAbs2();
        count += 1;
      }
    }
    sum_ /= count;
    square_ = (square_ / count - sum_.cwiseAbs2()).cwiseMax(1e-12).cwiseSqrt();
  }

  [[nodiscard]] LocalProblem problem(const std::vector<RealRow>& rows) const {
    LocalProblem p{static_cast<std::uint32_t>(rows.size()), static_cast<std::uint32_t>(rows.front().x.size())};
    for (std::uint32_t i = 0; i < p.rows(); ++i) {
      const Eigen::VectorXd v = ((with_target(rows[i]) - sum_).array() / (4 * square_.array())).matrix();
      for (std::uint32_t j = 0; j <= p.features(); ++j) p.set(i, j, v[j]);
    }
    return p;
  }

 private:
  static Eigen::VectorXd with_target(const RealRow& row) {
    Eigen::VectorXd v(static_cast<Eigen::Index>(row.x.size()) + 1);
    for (std::size_t j = 0; j < row.x.size(); ++j) v[static_cast<Eigen::Index>(j)] = row.x[j];
    v[v.size() - 1] = row.y;
    return v;
  }
  Eigen::VectorXd sum_, square_;
};

}  // namespace sotto
