// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sotto/analyzer/model/model.hpp"

namespace sotto::analyzer {

/// A coefficient whose numbers agree with each other.
inline Coefficient sample_coefficient(std::uint32_t feature, std::string name, std::string unit, double estimate,
                                      double last_cohort, double error, double sd) {
  Coefficient c;
  c.feature = feature;
  c.name = std::move(name);
  c.unit = std::move(unit);
  c.estimate = estimate;
  c.per_unit = estimate * 38 / sd;
  c.last_cohort = last_cohort;
  c.standard_error = error;
  c.low = last_cohort - 1.96 * error;
  c.high = last_cohort + 1.96 * error;
  c.p_value = std::erfc(std::abs(last_cohort / error) / std::sqrt(2.0));
  c.found = c.p_value < 0.05 / 6;
  return c;
}

/// What a study of pumps could have learned.
inline Model sample_model() {
  Model m;
  m.study = "pump-wear";
  m.study_digest = "9f3c0a7d51be64280f1d2c3b4a59687766554433221100ffeeddccbbaa998877";
  m.protocol = "cascade";
  m.why_protocol =
      "240 features and 60,000 devices: a vote narrows them down, then the rest of the devices measure what is left.";
  m.target = "bearing vibration";
  m.target_unit = "µm/s";
  m.intercept = 412.6;
  m.features = 240;
  m.verdict = Verdict::learned;
  m.why_verdict =
      "5 of 6 candidates are confirmed at level 0.05 over all candidates together; the weakest stands 3.4 standard "
      "errors "
      "from zero.";
  m.coefficients = {
      sample_coefficient(17, "motor temperature", "°C", 0.412, 0.431, 0.021, 6.2),
      sample_coefficient(88, "dry-run minutes", "min", 0.287, 0.275, 0.022, 14),
      sample_coefficient(3, "inlet pressure", "bar", -0.241, -0.262, 0.021, 0.42),
      sample_coefficient(140, "starts per day", "1/d", 0.118, 0.131, 0.022, 3.1),
      sample_coefficient(205, "supply voltage, lowest of the day", "V", -0.074, -0.073, 0.0215, 4.8),
      sample_coefficient(61, "firmware age", "d", 0.019, 0.028, 0.022, 91),
  };
  m.error = {0.00214, 0.00061, 0.00009};
  m.empty_share = 0.031;
  m.empty_share_error = 0.006;
  m.votes = {{"motor temperature", 17, 0.241, 0.008}, {"dry-run minutes", 88, 0.183, 0.008},
             {"inlet pressure", 3, 0.152, 0.008},     {"starts per day", 140, 0.081, 0.008},
             {"firmware age", 61, 0.043, 0.008},      {"supply voltage, lowest of the day", 205, 0.041, 0.008},
             {"valve position", 9, 0.012, 0.008},     {"flow", 10, -0.004, 0.008}};
  m.rounds = {{1, "vote", "screen", 240, 0, 19874, 0.008},
              {2, "direction", "least_squares", 6, 1.5, 19921, 0.019},
              {3, "direction", "least_squares", 6, 0.75, 20013, 0.0205}};
  m.epsilon = 2;
  m.epsilon_delivered = 1.9997;
  m.privacy = {"Each device answered one question once, and what it sent is randomized on the device.",
               "Whatever the samples on one device are, every report is at most e^2 = 7.39 times as likely as under "
               "any other samples.",
               "The unit is the samples on one device under one ledger: a person with two devices spends twice.",
               "Not protected: that a device took part, when it reported, and its network address."};
  m.assumed_public = {"standard deviations of the features, from the study file", "at most 6 features matter"};
  m.reports_used = 59808;
  m.reports_refused = 431;
  m.refused_by_reason = {{"late", 212}, {"duplicate", 164}, {"conflict", 38}, {"forged", 17}};
  m.bytes_per_report = 34;
  m.command = "sotto estimate pump-wear reports/*.bin --protocol cascade --json";
  m.made_by = "sotto 0.1.0";
  return m;
}

/// A fleet that is too small.
inline Model empty_model() {
  Model m = sample_model();
  m.verdict = Verdict::cannot_learn;
  m.why_verdict =
      "The strongest of 240 features stands 1.9 standard errors from zero where 4.8 are needed: about 380,000 devices, "
      "or epsilon 5.";
  m.coefficients.clear();
  m.votes.clear();
  m.error = {};
  m.rounds.resize(1);
  return m;
}

/// Sixty coefficients with names from everywhere, none of which may do anything on a page.
inline Model hostile_model() {
  Model m = sample_model();
  m.study = "<script>alert(1)</script>";
  m.target = "\"><img src=x onerror=alert(2)>";
  m.verdict = Verdict::uncertain;
  m.coefficients.clear();
  const std::vector<std::string> names = {
      "<script>document.title='taken'</script>",
      "</title></style><h1>big</h1>",
      "温度センサーの平均値と最大値の差を一日ごとに記録したもの",
      "\u202eright to left\u202c mark",
      "averyveryverylongnamewithoutanyplacetobreakitbecausesomebodyconcatenatedallthecolumnsofaspreadsheet",
      "a & b < c > d \"e\" 'f'",
      "Öl-Temperatur \U0001f321",
      "control\x01"
      "character"};
  for (std::uint32_t i = 0; i < 60; ++i) {
    m.coefficients.push_back(sample_coefficient(i, i < names.size() ? names[i] : "sensor " + std::to_string(i), "u",
                                                (i % 2 == 0 ? 0.5 : -0.4) / (1 + i),
                                                (i % 2 == 0 ? 0.52 : -0.43) / (1 + i), 0.02, 1));
  }
  m.coefficients[5].standard_error = m.coefficients[5].low = m.coefficients[5].high =
      std::numeric_limits<double>::quiet_NaN();
  m.coefficients[5].found = false;
  m.refused_by_reason.emplace_back("<i>reason</i>", 1);
  m.command = "sotto estimate '<b>' && true";
  return m;
}

}  // namespace sotto::analyzer
